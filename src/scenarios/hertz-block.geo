// Quarter (x > 0, y > 0) of a block below z = 0 of the size 2B x 2B x B, finest at the origin.
// h: size of the edges in contact; a: radius of the contact, 1.4 of which has edges of size h; growth: of edges with the distance.
//   gmsh -3 -format msh22 -setnumber h 0.2 hertz-block.geo
If (!Exists(B)) B = 10; EndIf
If (!Exists(a)) a = 0.5; EndIf
If (!Exists(h)) h = 0.2; EndIf
If (!Exists(growth)) growth = 0.3; EndIf
SetFactory("OpenCASCADE");
Box(1) = {0, 0, -B, B, B, B};
Field[1] = MathEval;
Field[1].F = Sprintf("Min(%g, %g + %g*Max(0, Sqrt(x*x+y*y+z*z) - %g))", 0.4*B, h, growth, 1.4*a);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.Algorithm = 6;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
e = 1e-3*B;
top() = Surface In BoundingBox{-e, -e, -e, B+e, B+e, e};
base() = Surface In BoundingBox{-e, -e, -B-e, B+e, B+e, -B+e};
sx() = Surface In BoundingBox{-e, -e, -B-e, e, B+e, e};
sy() = Surface In BoundingBox{-e, -e, -B-e, B+e, e, e};
sides() = Surface{:};
sides() -= {top(), base(), sx(), sy()};
Physical Volume("block") = {1};
Physical Surface("contact") = {top()};
Physical Surface("base") = {base()};
Physical Surface("plane-x") = {sx()};
Physical Surface("plane-y") = {sy()};
Physical Surface("side") = {sides()};
