// Cook's membrane. The file of the scenario: gmsh -2 -order 2 -format msh22 cooks-membrane.geo
n = 8; // cells per side
Point(1) = {0, 0, 0};
Point(2) = {48, 44, 0};
Point(3) = {48, 60, 0};
Point(4) = {0, 44, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Transfinite Curve {1, 2, 3, 4} = n + 1;
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Surface {1};
Physical Curve("clamped") = {4};
Physical Curve("loaded") = {2};
Physical Surface("membrane") = {1};
