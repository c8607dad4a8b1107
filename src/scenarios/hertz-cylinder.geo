// Lower half of a cylinder of radius R that touches y = 0 in the origin, finest there.
// h: size of the edges in contact; a: half width of the contact, about 1.5 of which has edges of size h.
//   gmsh -2 -format msh22 -setnumber h 0.008 hertz-cylinder.geo
If (!Exists(R)) R = 10; EndIf
If (!Exists(a)) a = 0.1; EndIf
If (!Exists(h)) h = 0.02; EndIf
Point(1) = {0, R, 0};
Point(2) = {-R, R, 0};
Point(3) = {0, 0, 0};
Point(4) = {R, R, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 1};
Line(4) = {1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Field[1] = MathEval;
Field[1].F = Sprintf("Min(%g, %g + 0.2*Max(0, Sqrt(x*x+y*y) - %g))", R/5, h, 1.5*a);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.Algorithm = 6;
Physical Surface("cylinder") = {1};
Physical Curve("contact") = {1, 2};
Physical Curve("top") = {3, 4};
