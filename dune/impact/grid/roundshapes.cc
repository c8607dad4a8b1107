// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <map>
#include <numbers>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/lattice.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/grid/topology.hh>

namespace Dune::Impact {

  namespace {

    void require(bool condition, const std::string& sentence)
    {
      if (!condition)
        throw InputError(sentence);
    }

    //! Numbers for keys, in the order in which they are first asked for
    template<class Key>
    class Numbering
    {
    public:
      //! Number of a key, and whether it is new
      std::pair<Index, bool> operator()(const Key& key)
      {
        const auto [place, isNew] = number_.try_emplace(key, Index(number_.size()));
        return {place->second, isNew};
      }

    private:
      std::map<Key, Index> number_;
    };

    //! radius times the direction of the (multi)linear interpolation of the corners
    template<int dim>
    Curve<dim> sphereCurve(const SolidMesh<dim>& mesh, const typename SolidMesh<dim>::Facet& facet,
                           double radius)
    {
      std::vector<FieldVector<double, dim>> p;
      for (Index node : facet.corners())
        p.push_back(mesh.nodes[node]);
      return [p, radius](const FieldVector<double, dim - 1>& x) {
        FieldVector<double, dim> y = p[0];
        y.axpy(x[0], p[1] - p[0]);
        if constexpr (dim == 3) {
          y.axpy(x[1], p.back() - p[0]); // the last corner is next to the first one
          if (p.size() == 4)
            y.axpy(x[0] * x[1], p[0] - p[1] + p[2] - p[3]);
        }
        return y *= radius / y.two_norm();
      };
    }

    //! Facets with their patches and curves; boundary nodes have exactly the distance inner or
    //! outer
    template<int dim>
    CoarseMesh<dim> withSpheres(SolidMesh<dim> mesh, double inner, double outer)
    {
      orientCells(mesh);
      findFacets(mesh);
      if (inner > 0)
        mesh.patches = {{1, "inner"}, {2, "outer"}};
      else
        mesh.patches = {{1, "surface"}};
      CoarseMesh<dim> coarse;
      for (auto& facet : mesh.facets) {
        const bool isOuter = mesh.nodes[facet.node[0]].two_norm() > 0.5 * (inner + outer);
        facet.patch = inner > 0 && isOuter ? 1 : 0;
        coarse.curves.push_back(sphereCurve<dim>(mesh, facet, isOuter ? outer : inner));
      }
      coarse.mesh = std::move(mesh);
      return coarse;
    }

    //! Corners and facets of a regular polygon or polyhedron in the unit sphere, made of simplices
    template<int dim>
    struct Hull
    {
      std::vector<FieldVector<double, dim>> corner;
      std::vector<std::array<int, dim>> facet; //!< corners in increasing order
      double edge;                             //!< length
    };

    /* Hexagon, or icosahedron with the corners (+-1, +-phi, 0) and their cyclic permutations, phi
     * the golden ratio, scaled to the unit sphere. Facets are triples of corners at the distance
     * of an edge. */
    template<int dim>
    Hull<dim> regularHull()
    {
      Hull<dim> hull;
      if constexpr (dim == 2) {
        hull.edge = 1;
        for (int i = 0; i < 6; ++i) {
          hull.corner.push_back(
            {std::cos(i * std::numbers::pi / 3), std::sin(i * std::numbers::pi / 3)});
          hull.facet.push_back({std::min(i, (i + 1) % 6), std::max(i, (i + 1) % 6)});
        }
      }
      else {
        const double phi = std::numbers::phi, scale = 1 / std::sqrt(1 + phi * phi);
        hull.edge = 2 * scale;
        for (int axis = 0; axis < 3; ++axis)
          for (int sign = 0; sign < 4; ++sign) {
            FieldVector<double, 3> x(0.0);
            x[axis] = (sign & 1 ? 1 : -1) * scale;
            x[(axis + 1) % 3] = (sign & 2 ? phi : -phi) * scale;
            hull.corner.push_back(x);
          }
        const auto close = [&](int i, int j) {
          return (hull.corner[i] - hull.corner[j]).two_norm() < 1.1 * hull.edge;
        };
        for (int i = 0; i < 12; ++i)
          for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k)
              if (close(i, j) && close(j, k) && close(i, k))
                hull.facet.push_back({i, j, k});
      }
      return hull;
    }

    //! Corners with positive barycentric numbers: the same for all simplices that share the point
    using BarycentricKey = std::vector<std::pair<int, int>>;

    template<std::size_t k>
    BarycentricKey barycentricKey(const std::array<int, k>& corner, const std::array<int, k>& b)
    {
      BarycentricKey key;
      for (std::size_t i = 0; i < k; ++i)
        if (b[i] > 0)
          key.emplace_back(corner[i], b[i]);
      return key;
    }

    /* Corner 0 of the cut simplices is the centre. A point with the barycentric number b_0 of the
     * centre gets the distance radius (1 - b_0/n). */
    template<int dim>
    SolidMesh<dim> simplexBall(double radius, int n)
    {
      const auto hull = regularHull<dim>();
      SolidMesh<dim> mesh;
      Numbering<BarycentricKey> number;
      for (const auto& facet : hull.facet) {
        std::array<int, dim + 1> corner{-1};
        std::copy(facet.begin(), facet.end(), corner.begin() + 1);
        cutSimplex<dim>(n, [&](const auto& points) {
          typename SolidMesh<dim>::Simplex cell;
          for (int c = 0; c <= dim; ++c) {
            const auto [node, isNew] = number(barycentricKey(corner, points[c]));
            cell[c] = node;
            if (!isNew)
              continue;
            FieldVector<double, dim> x(0.0);
            for (int i = 1; i <= dim; ++i)
              x.axpy(points[c][i], hull.corner[corner[i]]);
            if (points[c][0] < n)
              x *= radius * (n - points[c][0]) / n / x.two_norm();
            mesh.nodes.push_back(x);
          }
          mesh.simplices.push_back(cell);
        });
      }
      return mesh;
    }

    //! Points of the unit sphere and simplices between them with increasing corners
    template<int dim>
    struct SphereMesh
    {
      std::vector<FieldVector<double, dim>> direction;
      std::vector<std::array<Index, dim>> simplices;
    };

    //! Facets of the hull are cut into n^(dim - 1) simplices, whose points are projected to the
    //! sphere
    template<int dim>
    SphereMesh<dim> simplexSphere(const Hull<dim>& hull, int n)
    {
      SphereMesh<dim> sphere;
      Numbering<BarycentricKey> number;
      for (const auto& facet : hull.facet)
        cutSimplex<dim - 1>(n, [&](const auto& points) {
          std::array<Index, dim> cell;
          for (int c = 0; c < dim; ++c) {
            const auto [node, isNew] = number(barycentricKey(facet, points[c]));
            cell[c] = node;
            if (!isNew)
              continue;
            FieldVector<double, dim> x(0.0);
            for (int i = 0; i < dim; ++i)
              x.axpy(points[c][i], hull.corner[facet[i]]);
            sphere.direction.push_back(x /= x.two_norm());
          }
          std::sort(cell.begin(), cell.end());
          sphere.simplices.push_back(cell);
        });
      return sphere;
    }

    /* The prism over the simplex s_0 < s_1 < ... between two layers is cut into the simplices
     * (lower s_0 ... s_k, upper s_k ...), conformingly because all prisms use the same order. */
    template<int dim>
    SolidMesh<dim> simplexShell(double inner, double outer, int layers)
    {
      const auto hull = regularHull<dim>();
      const double length = hull.edge * 0.5 * (inner + outer);
      const auto sphere =
        simplexSphere(hull, std::max(1, int(std::lround(length * layers / (outer - inner)))));
      const Index size = sphere.direction.size();
      SolidMesh<dim> mesh;
      for (int layer = 0; layer <= layers; ++layer)
        for (auto x : sphere.direction)
          mesh.nodes.push_back(x *=
                               layer == layers ? outer : inner + (outer - inner) * layer / layers);
      for (int layer = 0; layer < layers; ++layer)
        for (const auto& s : sphere.simplices)
          for (int k = 0; k < dim; ++k) {
            typename SolidMesh<dim>::Simplex cell;
            for (int i = 0; i <= dim; ++i)
              cell[i] = i <= k ? layer * size + s[i] : (layer + 1) * size + s[i - 1];
            mesh.simplices.push_back(cell);
          }
      return mesh;
    }

    //! Direction of a point on the surface of the cube [0, n]^dim, with equal angles between points
    template<int dim>
    FieldVector<double, dim> cubeDirection(const LatticePoint<dim>& point, int n)
    {
      FieldVector<double, dim> x;
      for (int k = 0; k < dim; ++k)
        x[k] = 2 * point[k] == n  ? 0
               : 2 * point[k] > n ? std::tan(std::numbers::pi / 4 * (2.0 * point[k] / n - 1))
                                  : -std::tan(std::numbers::pi / 4 * (1 - 2.0 * point[k] / n));
      return x /= x.two_norm();
    }

    //! Layers of cubes around the surface of the cube [0, n]^dim; node(point, layer) gives their
    //! corners
    template<int dim, class Node>
    void addCubeLayers(SolidMesh<dim>& mesh, int n, int layers, Node&& node)
    {
      LatticePoint<dim - 1> size;
      size.fill(n);
      for (int layer = 0; layer < layers; ++layer)
        for (int side = 0; side < 2 * dim; ++side)
          forEachPoint(size, [&](const auto& base) {
            typename SolidMesh<dim>::Cube cell;
            for (int corner = 0; corner < (1 << dim); ++corner) {
              LatticePoint<dim> point;
              for (int k = 0, j = 0; k < dim; ++k)
                if (k == side / 2)
                  point[k] = side % 2 * n;
                else {
                  point[k] = base[j] + (corner >> j & 1);
                  ++j;
                }
              cell[corner] = node(point, layer + (corner >> (dim - 1) & 1));
            }
            mesh.cubes.push_back(cell);
          });
    }

    //! n cells along a quarter of the circle of mean radius, as many as make them about as long as
    //! a layer is thick
    template<int dim>
    SolidMesh<dim> cubeShell(double inner, double outer, int layers)
    {
      const double length = std::numbers::pi / 2 * 0.5 * (inner + outer);
      const int n = std::max(dim == 2 ? 2 : 1, int(std::lround(length * layers / (outer - inner))));
      SolidMesh<dim> mesh;
      Numbering<std::pair<int, LatticePoint<dim>>> number;
      addCubeLayers(mesh, n, layers, [&](const LatticePoint<dim>& point, int layer) {
        const auto [node, isNew] = number({layer, point});
        if (isNew)
          mesh.nodes.push_back(cubeDirection<dim>(point, n) *=
                               layer == layers ? outer : inner + (outer - inner) * layer / layers);
        return node;
      });
      return mesh;
    }

    /* Half of the cells along the radius lie in the inner cube of half width a, the others blend
     * from its surface to the sphere. */
    template<int dim>
    SolidMesh<dim> cubeBall(double radius, int cells)
    {
      const int half = (cells + 1) / 2, layers = std::max(1, cells - half), n = 2 * half;
      const double a = (dim == 2 ? 0.5 : 0.45) * radius;
      SolidMesh<dim> mesh;
      Numbering<std::pair<int, LatticePoint<dim>>> number;
      const auto node = [&](const LatticePoint<dim>& point, int layer) {
        const auto [i, isNew] = number({layer, point});
        if (isNew) {
          FieldVector<double, dim> x;
          for (int k = 0; k < dim; ++k)
            x[k] = a * (2 * point[k] - n) / n;
          x *= double(layers - layer) / layers;
          if (layer > 0)
            x.axpy(radius * layer / layers, cubeDirection<dim>(point, n));
          mesh.nodes.push_back(x);
        }
        return i;
      };
      LatticePoint<dim> size;
      size.fill(n);
      forEachPoint(size, [&](const auto& base) {
        typename SolidMesh<dim>::Cube cell;
        for (int corner = 0; corner < (1 << dim); ++corner) {
          auto point = base;
          for (int k = 0; k < dim; ++k)
            point[k] += corner >> k & 1;
          cell[corner] = node(point, 0);
        }
        mesh.cubes.push_back(cell);
      });
      addCubeLayers(mesh, n, layers, node);
      return mesh;
    }

  } // namespace

  template<int dim>
  CoarseMesh<dim> makeBall(double radius, int cells, CellShape shape)
  {
    require(radius > 0, "a ball needs a positive radius");
    require(cells >= 1, "a ball needs at least one cell along the radius");
    return withSpheres<dim>(shape == CellShape::simplex ? simplexBall<dim>(radius, cells)
                                                        : cubeBall<dim>(radius, cells),
                            0, radius);
  }

  template<int dim>
  CoarseMesh<dim> makeShell(double inner, double outer, int cells, CellShape shape)
  {
    require(inner > 0 && inner < outer, "a shell needs 0 < inner < outer");
    require(cells >= 1, "a shell needs at least one cell across its wall");
    return withSpheres<dim>(shape == CellShape::simplex ? simplexShell<dim>(inner, outer, cells)
                                                        : cubeShell<dim>(inner, outer, cells),
                            inner, outer);
  }

  template CoarseMesh<2> makeBall<2>(double, int, CellShape);
  template CoarseMesh<3> makeBall<3>(double, int, CellShape);
  template CoarseMesh<2> makeShell<2>(double, double, int, CellShape);
  template CoarseMesh<3> makeShell<3>(double, double, int, CellShape);

} // namespace Dune::Impact
