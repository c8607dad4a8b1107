// Quarter (x > 0, y > 0) of the lower half of a ball of radius R that touches z = 0 in the origin, finest there.
// h: size of the edges in contact; a: radius of the contact, about 1.4 of which has edges of size h; growth: of edges with the distance.
//   gmsh -3 -format msh22 -setnumber h 0.03 hertz-ball.geo
If (!Exists(R)) R = 10; EndIf
If (!Exists(a)) a = 0.2; EndIf
If (!Exists(h)) h = 0.06; EndIf
If (!Exists(growth)) growth = 0.3; EndIf
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, R, R};
Box(2) = {0, 0, 0, R, R, R};
BooleanIntersection(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("Min(%g, %g + %g*Max(0, Sqrt(x*x+y*y+z*z) - %g))", 0.4*R, h, growth, 1.4*a);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.Algorithm = 6;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
e = 1e-3*R;
top() = Surface In BoundingBox{-e, -e, R-e, R+e, R+e, R+e};
sx() = Surface In BoundingBox{-e, -e, -e, e, R+e, R+e};
sy() = Surface In BoundingBox{-e, -e, -e, R+e, e, R+e};
round() = Surface{:};
round() -= {top(), sx(), sy()};
Physical Volume("ball") = {3};
Physical Surface("contact") = {round()};
Physical Surface("top") = {top()};
Physical Surface("plane-x") = {sx()};
Physical Surface("plane-y") = {sy()};
