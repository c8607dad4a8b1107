// A block in the shape of a drop: round tip of radius 2 about the origin, walls at the angle b to the
// y axis, of length s. Mesh: gmsh -2 -format msh22 unmoulding.geo
b = 0.3; r = 2; s = 5; h = 0.7;
Point(1) = {0, 0, 0, h};
Point(2) = {r*Cos(b) + s*Sin(b), -r*Sin(b) + s*Cos(b), 0, h};
Point(3) = {-r*Cos(b) - s*Sin(b), -r*Sin(b) + s*Cos(b), 0, h};
Point(4) = {-r*Cos(b), -r*Sin(b), 0, h};
Point(5) = {0, -r, 0, h};
Point(6) = {r*Cos(b), -r*Sin(b), 0, h};
Line(1) = {2, 3};
Line(2) = {3, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 6};
Line(5) = {6, 2};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
Physical Surface("rubber") = {1};
Physical Curve("mould") = {2, 3, 4, 5};
Physical Curve("top") = {1};
