// An angle bracket with a hole in each leg.
// h: size of the edges
//   gmsh -3 -format msh22 bracket.geo
If (!Exists(h)) h = 7; EndIf
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 40, 30, 8};
Box(2) = {0, 0, 0, 8, 30, 40};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {25, 15, -1, 0, 0, 10, 6};
Cylinder(5) = {-1, 15, 26, 10, 0, 0, 6};
BooleanDifference(6) = { Volume{3}; Delete; }{ Volume{4, 5}; Delete; };
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.Algorithm = 6;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
Physical Volume("bracket") = {6};
Physical Surface("surface") = Surface{:};
