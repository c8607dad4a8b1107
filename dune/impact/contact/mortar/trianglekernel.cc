// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/contact/mortar/fullfacet.hh>
#include <dune/impact/contact/mortar/trianglederivative.hh>
#include <dune/impact/contact/mortar/trianglekernel.hh>

namespace Dune::Impact {

  using namespace Triangles;

  namespace {

    using Vector = FieldVector<double, 3>;
    using Kernel = FacetKernel<3>;
    using Moments = FacetMoments<3>;

    // Least cosine between a nodal normal and the normal of the facet; below it the normal belongs
    // to a sharp bend, or is zero.
    constexpr double leastLean = 0.1;

    std::array<std::size_t, 9> gradientColumns(const Piece& piece)
    {
      return {0, 1, 2, 3, 4, 5, piece.column[0], piece.column[1], piece.column[2]};
    }

    void addGradient(double factor, const Gradient& gradient,
                     const std::array<std::size_t, 9>& column, std::span<Vector> row)
    {
      for (int i = 0; i < 9; ++i)
        row[column[i]].axpy(factor, gradient[i]);
    }

    //! Moments of a piece, without its weight
    std::array<double, Moments::count> pieceMoments(const Pair& pair, const Monomials<double>& mu)
    {
      std::array<double, Moments::count> value;
      for (int j = 0; j < 3; ++j) {
        value[Moments::b(j)] = gapMoment(pair, mu, j);
        value[Moments::D(j)] = pair.J * mu.one[j];
        for (int i = 0; i <= j; ++i)
          value[Moments::M(i, j)] = pair.J * mu.two[i][j];
      }
      return value;
    }

    //! q += weight value, and R_jk += weight J sum_i eta_k(i) mu_ij of the mortar nodes k: eta_k is
    //! affine on the facet
    void addValues(const Pair& pair, const Piece& piece, double weight,
                   std::span<const double> value, Moments& q)
    {
      for (int k = 0; k < Moments::count; ++k)
        q.value[k] += weight * value[k];
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) {
          double R = 0;
          for (int i = 0; i < 3; ++i)
            R += pair.eta[k][i] * piece.mu.two[i][j];
          q.R[j * q.mortar.size() + piece.column[k] - 6] += weight * pair.J * R;
        }
    }

    //! dD_j = mu_j dJ, dM_ij = mu_ij dJ at a polygon that does not move
    void addAreaDerivatives(const Pair& pair, const Piece& piece, double weight, Moments& q)
    {
      const auto column = gradientColumns(piece);
      const Gradient dJ = areaGradient(pair);
      for (int j = 0; j < 3; ++j) {
        addGradient(weight * piece.mu.one[j], dJ, column, q.row(Moments::D(j)));
        for (int i = 0; i <= j; ++i)
          addGradient(weight * piece.mu.two[i][j], dJ, column, q.row(Moments::M(i, j)));
      }
    }

    /* Derivative by the motion of the polygon: int f V over its sides on mortar edges. Sides
     * between two polygons cancel unless f jumps there: ends of the mortar side count always,
     * other sides inside of the facet only if `everywhere`. */
    void addFlux(const Pair& pair, const Piece& piece, double weight, bool everywhere, Moments& q)
    {
      const auto corners = piece.polygon.corners();
      for (std::size_t i = 0; i < corners.size(); ++i)
        if (!corners[i].onLine &&
            (piece.boundary[corners[i].carrier] || (everywhere && isInner(piece.polygon, i))))
          for (const auto& [w, N, V] : sweptPoints(pair, piece, i)) {
            const auto f = integrands(pair, N);
            for (int k = 0; k < Moments::count; ++k)
              addGradient(weight * w * f[k], V, gradientColumns(piece), q.row(k));
          }
    }

    //! Nodes become columns
    void number(Kernel::Result& result)
    {
      auto& nodes = result.moments.mortar;
      for (auto& piece : result.pieces)
        for (auto& column : piece.column) {
          const auto place = std::find(nodes.begin(), nodes.end(), Index(column));
          const bool isNew = place == nodes.end();
          const std::size_t position = place - nodes.begin();
          if (isNew)
            nodes.push_back(Index(column));
          column = 6 + position;
        }
    }

    void addSecond(double weight, const Jet<27>& value, const std::array<std::size_t, 9>& column,
                   LocalCurvature<3>& sum)
    {
      for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j)
          for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
              sum(column[i], column[j])[c][d] += weight * value.derivative(3 * i + c, 3 * j + d);
    }

  } // namespace

  Kernel::FacetKernel(const MortarSettings& settings, const GapWindow& window, int layers)
    : smoothed_(settings.gap == MortarGapKind::smoothedNormal)
    , facing_(settings.facing)
    , window_(window)
    , weight_(1.0 / layers)
  {
    if (settings.gap == MortarGapKind::closestPoint)
      throw InputError("the closest-point gap is possible only in two dimensions");
    if (settings.facetPoints > 0)
      throw InputError(
        "a fixed number of points per facet is possible only with the closest-point gap");
  }

  double Kernel::reach() const
  {
    return std::max(window_.upper, -window_.lower);
  }

  //! Foot points of the window lie in a prism over the facet
  Box<3> Kernel::searchBox(const std::array<Vector, 3>& corners) const
  {
    Vector normal = normalOf(corners);
    normal /= normal.two_norm();
    Box<3> box;
    for (const Vector& corner : corners)
      for (double distance : {window_.lower, window_.upper})
        box.add(corner + distance * normal);
    return box;
  }

  //! Of a facet, for many mortar triangles: xi_c = w . dual_c and distance w . normal, with w = y -
  //! origin
  struct Kernel::Plane
  {
    Vector origin, normal;
    std::array<Vector, 2> dual;

    explicit Plane(const std::array<Vector, 3>& a) : origin(a[0]), normal(normalOf(a))
    {
      const double JJ = normal.two_norm2();
      dual = {Impact::cross(a[2] - a[0], normal) / JJ, Impact::cross(normal, a[1] - a[0]) / JJ};
      normal /= std::sqrt(JJ);
    }

    //! Corners of a mortar triangle in the coordinates of the facet, and their distances
    struct Image
    {
      std::array<Place<double>, 3> xi;
      std::array<double, 3> distance;

      //! Shape functions 1 and 2 of the mortar triangle at a place; factor is one over its double
      //! area
      std::array<double, 2> shapes(const Place<double>& place, double factor) const
      {
        return {factor * doubleArea(xi[0], place, xi[2]), factor * doubleArea(xi[0], xi[1], place)};
      }

      //! One over the double area
      double factor() const { return 1 / doubleArea(xi[0], xi[1], xi[2]); }

      //! At a place of the image: the distance is affine there
      double distanceAt(const Place<double>& place, double factor) const
      {
        const auto [eta1, eta2] = shapes(place, factor);
        return distance[0] + std::clamp(eta1, 0.0, 1.0) * (distance[1] - distance[0]) +
               std::clamp(eta2, 0.0, 1.0) * (distance[2] - distance[0]);
      }

      //! Shape functions and heights over the corners of the facet
      void setCorners(double factor, Piece& piece) const
      {
        for (int i = 0; i < 3; ++i) {
          const auto [eta1, eta2] = shapes({i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}, factor);
          piece.eta[0][i] = 1 - eta1 - eta2;
          piece.eta[1][i] = eta1;
          piece.eta[2][i] = eta2;
          piece.height[i] =
            distance[0] + eta1 * (distance[1] - distance[0]) + eta2 * (distance[2] - distance[0]);
        }
      }
    };

    //! Nothing if the triangle lies on the other side of a line, or as a whole out of the window
    std::optional<Image> image(const std::array<Vector, 3>& y, const GapWindow& window) const
    {
      Image result;
      std::array<int, 3> behind{};
      int above = 0, below = 0;
      for (int k = 0; k < 3; ++k) {
        const Vector w = y[k] - origin;
        result.distance[k] = w * normal;
        above += result.distance[k] >= window.upper;
        below += result.distance[k] <= window.lower;
        result.xi[k] = {w * dual[0], w * dual[1]};
        for (int j = 0; j < 3; ++j)
          behind[j] += shapeFunction(result.xi[k], j) < 0;
      }
      if (above == 3 || below == 3 || behind[0] == 3 || behind[1] == 3 || behind[2] == 3)
        return std::nullopt;
      return result;
    }
  };

  //! The window is that of the distance along the normal of the facet; it is affine, so that
  //! corners tell
  void Kernel::addPiece(const NonmortarFacet<3>& facet, const Plane& plane,
                        const MortarFacet<3>& mortar, std::vector<Piece>& pieces) const
  {
    const auto image = plane.image(mortar.y, window_);
    if (!image)
      return;
    const Vector m = normalOf(mortar.y);
    const double weight = facing_.weight(-(m * plane.normal) / m.two_norm()).value;
    if (!(weight > 0))
      return;
    const ClippedTriangle polygon(image->xi);
    if (!(polygon.doubleArea() > smallestPart))
      return;
    double farthest = 0;
    const double factor = image->factor();
    for (const Corner& corner : polygon.corners()) {
      const double distance = image->distanceAt(corner.xi, factor);
      if (!(distance > window_.lower && distance < window_.upper))
        return;
      farthest = std::max(farthest, std::abs(distance));
    }
    Piece& piece = pieces.emplace_back();
    piece.nodes = {facet.a, facet.n, mortar.y};
    piece.column = {mortar.node[0], mortar.node[1], mortar.node[2]};
    piece.boundary = mortar.boundary;
    piece.layer = mortar.layer;
    piece.normal = m;
    image->setCorners(factor, piece);
    piece.polygon = polygon;
    piece.weight = weight;
    piece.farthest = farthest;
  }

  /* Covered fraction of the facet, the areas times the weights. If it is not one, polygons may
   * overlap, and the nearest ones stay. Cover is full if the fraction is one up to rounding, all
   * weights are one and the mortar side does not end inside of the facet. */
  void Kernel::setCover(Result& result) const
  {
    auto& [moments, pieces] = result;
    if (pieces.empty())
      return;
    const auto isFull = [&] { return std::abs(moments.fraction - 1) < uncovered; };
    const auto hasFaded = [](const Piece& piece) { return piece.weight < 1; };
    moments.fraction = coveredFraction(pieces, weight_);
    if (!isFull()) {
      keepNearest(pieces);
      moments.fraction = coveredFraction(pieces, weight_);
    }
    const bool isWhole =
      isFull() && std::none_of(pieces.begin(), pieces.end(), hasFaded) && !endsInside(pieces);
    moments.cover = isWhole ? Cover::full : Cover::cut;
  }

  //! Monomials of a piece
  void Kernel::setMonomials(Piece& piece)
  {
    std::array<Place<double>, 9> places;
    const auto corners = piece.polygon.corners();
    for (std::size_t i = 0; i < corners.size(); ++i)
      places[i] = corners[i].xi;
    piece.mu = integrateMonomials<double>({places.data(), corners.size()}, corners);
  }

  //! Of a facet that is cut: d(w q) = w dq + q dw for each piece
  void Kernel::integrateCut(bool derivatives, Result& result) const
  {
    auto& q = result.moments;
    const auto hasFaded = [](const Piece& piece) { return piece.weight < 1; };
    const bool everywhere =
      derivatives && (hasOpenSides(result.pieces) ||
                      std::any_of(result.pieces.begin(), result.pieces.end(), hasFaded));
    for (Piece& piece : result.pieces) {
      setMonomials(piece);
      const Pair pair(piece.nodes, smoothed_);
      const double weight = weight_ * piece.weight;
      const auto value = pieceMoments(pair, piece.mu);
      addValues(pair, piece, weight, value, q);
      if (!derivatives)
        continue;
      const auto column = gradientColumns(piece);
      for (int j = 0; j < 3; ++j)
        addGapGradient(weight, pair, piece.mu, j, column, q.row(Moments::b(j)));
      addAreaDerivatives(pair, piece, weight, q);
      addFlux(pair, piece, weight, everywhere, q);
      if (piece.weight < 1) {
        const Gradient dw = facingGradient(pair, piece.nodes.b, facing_);
        for (int k = 0; k < Moments::count; ++k)
          addGradient(weight_ * value[k], dw, column, q.row(k));
      }
    }
  }

  //! The moments; parts: the pieces will be asked for curvature
  void Kernel::integrate(bool derivatives, bool parts, Result& result) const
  {
    auto& q = result.moments;
    q.R.assign(3 * q.mortar.size(), 0);
    if (derivatives)
      q.derivative.assign(q.moments() * q.columns(), Vector(0));
    if (q.cover == Cover::cut)
      return integrateCut(derivatives, result);
    integrateWhole(result.pieces, smoothed_, weight_, derivatives, q);
    if (parts)
      for (Piece& piece : result.pieces)
        setMonomials(piece);
  }

  Kernel::Result Kernel::evaluate(const NonmortarFacet<3>& facet,
                                  std::span<const MortarFacet<3>> mortar, bool derivatives) const
  {
    Result result;
    evaluate(facet, mortar, derivatives, true, result);
    return result;
  }

  //! Pieces, cover, columns, then integrals. With smoothed normals a facet is rejected if a nodal
  //! normal n_k leans too far from its area vector N, n_k . N <= leastLean |N|.
  void Kernel::evaluate(const NonmortarFacet<3>& facet, std::span<const MortarFacet<3>> mortar,
                        bool derivatives, bool parts, Result& result) const
  {
    result.moments.clear();
    result.pieces.clear();
    const Vector N = normalOf(facet.a);
    if (smoothed_ && std::any_of(facet.n.begin(), facet.n.end(), [&](const Vector& n) {
          return !(n * N > leastLean * N.two_norm());
        })) {
      result.moments.cover = Cover::rejected;
      return;
    }
    thread_local std::vector<Piece> own; // keeps its memory where the parts are of no use
    if (!parts) {
      own.clear();
      std::swap(own, result.pieces);
    }
    const Plane plane(facet.a);
    for (const auto& triangle : mortar)
      addPiece(facet, plane, triangle, result.pieces);
    setCover(result);
    number(result);
    if (result.moments.contributes())
      integrate(derivatives, parts, result);
    if (!parts) {
      std::swap(own, result.pieces);
      result.pieces.clear();
    }
  }

  /** Of a facet that is covered wholly:
   *
   *     dd int f = int ddf + sum over sides on mortar edges of int df V^T,
   *
   * the second derivative at fixed polygons and the flux of the first one, which jumps across
   * mortar edges. The sum over the polygons is symmetric up to rounding.
   */
  void Kernel::addFrozenCurvature(const Piece& piece, std::span<const double> factors,
                                  LocalCurvature<3>& sum) const
  {
    const auto column = gradientColumns(piece);
    addSecond(weight_, functional(variables(piece.nodes), piece.mu, smoothed_, factors), column,
              sum);
    const Pair pair(piece.nodes, smoothed_);
    const auto corners = piece.polygon.corners();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (corners[i].onLine)
        continue;
      for (const auto& [w, N, V] : sweptPoints(pair, piece, i)) {
        Monomials<double> point;
        point.add(1, N);
        point.complete();
        Gradient df = zeroGradient();
        for (int j = 0; j < 3; ++j)
          addGapGradient(factors[j], pair, point, j, {0, 1, 2, 3, 4, 5, 6, 7, 8}, df);
        for (int k = 0; k < 9; ++k)
          for (int l = 0; l < 9; ++l)
            for (int c = 0; c < 3; ++c)
              sum(column[k], column[l])[c].axpy(weight_ * w * df[k][c], V[l]);
      }
    }
  }

  //! Of a facet that is cut: the integral over the moving polygon, all of it as jets
  void Kernel::addMovingCurvature(const Piece& piece, std::span<const double> factors,
                                  LocalCurvature<3>& sum) const
  {
    const auto nodes = variables(piece.nodes);
    const std::array<Place<Jet<27>>, 3> image{
      project(nodes.a, nodes.b[0]), project(nodes.a, nodes.b[1]), project(nodes.a, nodes.b[2])};
    std::vector<Place<Jet<27>>> corners;
    for (const Corner& corner : piece.polygon.corners())
      corners.push_back(movingCorner(corner, image));
    const auto mu = integrateMonomials<Jet<27>>(corners, piece.polygon.corners());
    auto value = functional(nodes, mu, smoothed_, factors);
    if (piece.weight < 1)
      value = value * facing_.weight(facingCosine(PairValues<Jet<27>>(nodes, smoothed_)));
    addSecond(weight_, value, gradientColumns(piece), sum);
  }

  //! Second derivative of sum_k factors_k q_k
  void Kernel::addCurvature(const NonmortarFacet<3>&, const Result& result,
                            std::span<const double> factors, LocalCurvature<3>& sum) const
  {
    for (const Piece& piece : result.pieces)
      if (result.moments.cover == Cover::cut)
        addMovingCurvature(piece, factors, sum);
      else
        addFrozenCurvature(piece, factors, sum);
  }

  //! Smallest gap g = s W of the corners of all polygons
  double Kernel::smallestGap(const NonmortarFacet<3>& facet, const Result& result,
                             Vector& place) const
  {
    double least = std::numeric_limits<double>::infinity();
    for (const Piece& piece : result.pieces) {
      const PairValues<double> pair(piece.nodes, smoothed_);
      for (const Corner& corner : piece.polygon.corners()) {
        Vector x(0);
        double s = 0, W = 0;
        for (int i = 0; i < 3; ++i) {
          const double N = shapeFunction(corner.xi, i);
          x.axpy(N, facet.a[i]);
          s += N * pair.s[i];
          W += N * pair.W[i];
        }
        if (s * W < least) {
          least = s * W;
          place = x;
        }
      }
    }
    return least;
  }

} // namespace Dune::Impact
