// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/contact/trianglekernel.hh>

namespace Dune::Impact {

  using namespace Triangles;

  namespace {

    using Vector = FieldVector<double, 3>;
    using Kernel = FacetKernel<3>;
    using Moments = FacetMoments<3>;

    // Parts of a facet: what may be left uncovered by rounding, also as a length beside its sides.
    constexpr double uncovered = 1e-9;

    // A nodal normal that leans farther from the facet (cosine) belongs to a sharp bend, or is none.
    constexpr double leastLean = 0.1;

    //! Gradients by a_0, a_1, a_2, n_0, n_1, n_2, b_0, b_1, b_2
    using Gradient = std::array<Vector, 9>;

    Gradient zeroGradient()
    {
      Gradient gradient;
      gradient.fill(Vector(0));
      return gradient;
    }

    //! Add the derivative of c . N_f: dN_f = (da1 - da0) x e2 + e1 x (da2 - da0)
    void addAreaGradient(const std::array<Vector, 3>& a, const Vector& c, std::span<Vector> gradient)
    {
      const Vector by1 = Impact::cross(a[2] - a[0], c), by2 = Impact::cross(c, a[1] - a[0]);
      gradient[0] -= by1 + by2;
      gradient[1] += by1;
      gradient[2] += by2;
    }

    //! Three points of Gauss on [0, 1]
    struct GaussPoint
    {
      double position, weight;
    };

    const std::array<GaussPoint, 3> gauss = {{{0.5 - 0.5 * std::sqrt(0.6), 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + 0.5 * std::sqrt(0.6), 5.0 / 18}}};

    //! Values of a pair at the corners of the facet, with the places eta_k of the foot points on the mortar triangle
    struct Pair : PairValues<double>
    {
      std::array<Vector, 3> a, n;
      bool smoothed;
      std::array<std::array<double, 3>, 3> eta; //!< [k][i]: eta_k at corner i

      Pair(const Nodes<double>& nodes, bool smoothed)
        : PairValues<double>(nodes, smoothed), a(nodes.a), n(nodes.n), smoothed(smoothed)
      {
        const Vector d1 = nodes.b[1] - nodes.b[0], d2 = nodes.b[2] - nodes.b[0];
        const double mm = m.two_norm2();
        for (int i = 0; i < 3; ++i) {
          Vector w = nodes.a[i] - nodes.b[0];
          w.axpy(s[i], N);
          eta[1][i] = (Impact::cross(w, d2) * m) / mm;
          eta[2][i] = (Impact::cross(d1, w) * m) / mm;
          eta[0][i] = 1 - eta[1][i] - eta[2][i];
        }
      }
    };

    //! J sum_ik s_i W_k mu_ijk
    double gapMoment(const Pair& pair, const Monomials<double>& mu, int j)
    {
      double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          sum += pair.s[i] * pair.W[k] * mu.three[i][j][k];
      return pair.J * sum;
    }

    /** \brief Derivative of b_j over a polygon that does not move
     *
     *     ds = m . (sum eta_k db_k - sum N_i da_i - s dN_f) / m . N_f
     *     dg = W ds + s dW,   dW = n . dN_f + N_f . dn   or   dW = dJ = n_f . dN_f
     *     db_j = int N_j (J dg + g dJ)
     */
    Gradient gapGradient(const Pair& pair, const Monomials<double>& mu, int j)
    {
      Gradient gradient = zeroGradient();
      const double byJ = gapMoment(pair, mu, j) / pair.J;
      Vector byArea = pair.N;
      byArea *= byJ / pair.J;
      byArea.axpy(-pair.J * byJ / pair.mN, pair.m);
      for (int l = 0; l < 3; ++l) {
        double weighted = 0, gap = 0; // int N_j N_l W and int N_j N_l s
        std::array<double, 3> foot{};
        for (int i = 0; i < 3; ++i) {
          weighted += pair.W[i] * mu.three[j][l][i];
          gap += pair.s[i] * mu.three[j][l][i];
          for (int k = 0; k < 3; ++k)
            foot[k] += pair.eta[k][i] * mu.three[j][l][i];
        }
        gradient[l].axpy(-pair.J * weighted / pair.mN, pair.m);
        for (int k = 0; k < 3; ++k)
          gradient[6 + k].axpy(pair.J * pair.W[l] * foot[k] / pair.mN, pair.m);
        byArea.axpy(pair.smoothed ? pair.J * gap : gap, pair.smoothed ? pair.n[l] : pair.N);
        if (pair.smoothed)
          gradient[3 + l].axpy(pair.J * gap, pair.N);
      }
      addAreaGradient(pair.a, byArea, gradient);
      return gradient;
    }

    /** \brief Derivative of the projection xi of a mortar node y, by a_0, a_1, a_2 and y
     *
     *     dxi_1 = ((dw x e2 + w x de2) . N_f + (w x e2 - 2 xi_1 N_f) . dN_f) / J^2,   w = y - a_0,
     *
     * and xi_2 likewise from (e1 x w) . N_f / J^2.
     */
    std::array<std::array<Vector, 4>, 2> projectionGradient(const Pair& pair, const Vector& y, const Place<double>& xi)
    {
      const Vector e1 = pair.a[1] - pair.a[0], e2 = pair.a[2] - pair.a[0], w = y - pair.a[0];
      std::array<std::array<Vector, 4>, 2> gradient;
      for (int c = 0; c < 2; ++c) {
        auto& by = gradient[c];
        by.fill(Vector(0));
        const int side = 2 - c; // e2 for xi_1, e1 for xi_2
        const Vector byFoot = c == 0 ? Impact::cross(e2, pair.N) : Impact::cross(pair.N, e1);
        const Vector bySide = c == 0 ? Impact::cross(pair.N, w) : Impact::cross(w, pair.N);
        Vector byArea = c == 0 ? Impact::cross(w, e2) : Impact::cross(e1, w);
        byArea.axpy(-2 * xi[c], pair.N);
        by[3] += byFoot;
        by[0] -= byFoot + bySide;
        by[side] += bySide;
        addAreaGradient(pair.a, byArea, by);
        for (auto& column : by)
          column /= pair.J * pair.J;
      }
      return gradient;
    }

    /** \brief Call f(weight, N, V) at Gauss points of a side of a polygon that a mortar edge carries
     *
     * V is the derivative of the area that the side sweeps there, v_1 E_2 - v_2 E_1.
     */
    template<class F>
    void forSweptPoints(const Pair& pair, const Kernel::Piece& piece, std::size_t corner, F&& f)
    {
      const auto& polygon = piece.polygon;
      const Corner &begin = polygon.corners()[corner], &end = polygon.next(corner);
      const int p = edgeBegin(begin.carrier), q = edgeEnd(begin.carrier);
      const auto &P = polygon.image()[p], &Q = polygon.image()[q];
      const auto dP = projectionGradient(pair, piece.nodes.b[p], P), dQ = projectionGradient(pair, piece.nodes.b[q], Q);
      const Place<double> E{end.xi[0] - begin.xi[0], end.xi[1] - begin.xi[1]}, D{Q[0] - P[0], Q[1] - P[1]};
      for (const auto& [position, weight] : gauss) {
        const Place<double> xi{begin.xi[0] + position * E[0], begin.xi[1] + position * E[1]};
        const double t = ((xi[0] - P[0]) * D[0] + (xi[1] - P[1]) * D[1]) / (D[0] * D[0] + D[1] * D[1]);
        Gradient V = zeroGradient();
        for (int i = 0; i < 3; ++i) {
          V[i].axpy(E[1] * (1 - t), dP[0][i]).axpy(E[1] * t, dQ[0][i]);
          V[i].axpy(-E[0] * (1 - t), dP[1][i]).axpy(-E[0] * t, dQ[1][i]);
        }
        V[6 + p].axpy(E[1] * (1 - t), dP[0][3]).axpy(-E[0] * (1 - t), dP[1][3]);
        V[6 + q].axpy(E[1] * t, dQ[0][3]).axpy(-E[0] * t, dQ[1][3]);
        f(weight, shapeFunctions(xi), V);
      }
    }

    std::array<std::size_t, 9> gradientColumns(const Kernel::Piece& piece)
    {
      return {0, 1, 2, 3, 4, 5, piece.column[0], piece.column[1], piece.column[2]};
    }

    //! Moments of a place, as integrands
    std::array<double, Moments::count> integrands(const Pair& pair, const std::array<double, 3>& N)
    {
      double s = 0, W = 0;
      for (int i = 0; i < 3; ++i) {
        s += N[i] * pair.s[i];
        W += N[i] * pair.W[i];
      }
      std::array<double, Moments::count> f;
      for (int i = 0; i < 3; ++i) {
        f[Moments::b(i)] = pair.J * N[i] * s * W;
        f[Moments::D(i)] = pair.J * N[i];
        for (int j = 0; j <= i; ++j)
          f[Moments::M(i, j)] = pair.J * N[i] * N[j];
      }
      return f;
    }

    void addGradient(double factor, const Gradient& gradient, const std::array<std::size_t, 9>& column, std::span<Vector> row)
    {
      for (int i = 0; i < 9; ++i)
        row[column[i]].axpy(factor, gradient[i]);
    }

    void addValues(const Pair& pair, const Kernel::Piece& piece, double weight, Moments& q)
    {
      const auto& mu = piece.mu;
      for (int j = 0; j < 3; ++j) {
        q.value[Moments::b(j)] += weight * gapMoment(pair, mu, j);
        q.value[Moments::D(j)] += weight * pair.J * mu.one[j];
        for (int i = 0; i <= j; ++i)
          q.value[Moments::M(i, j)] += weight * pair.J * mu.two[i][j];
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i)
            q.R[j * q.mortar.size() + piece.column[k] - 6] += weight * pair.J * pair.eta[k][i] * mu.two[i][j];
      }
    }

    //! dD_j = mu_j dJ, dM_ij = mu_ij dJ, dJ = n_f . dN_f, and flux through ends of the mortar side
    void addCutDerivatives(const Pair& pair, const Kernel::Piece& piece, double weight, Moments& q)
    {
      const auto column = gradientColumns(piece);
      Gradient dJ = zeroGradient();
      addAreaGradient(pair.a, pair.N / pair.J, dJ);
      for (int j = 0; j < 3; ++j) {
        addGradient(weight * piece.mu.one[j], dJ, column, q.row(Moments::D(j)));
        for (int i = 0; i <= j; ++i)
          addGradient(weight * piece.mu.two[i][j], dJ, column, q.row(Moments::M(i, j)));
      }
      const auto corners = piece.polygon.corners();
      for (std::size_t i = 0; i < corners.size(); ++i)
        if (!corners[i].onLine && piece.boundary[corners[i].carrier])
          forSweptPoints(pair, piece, i, [&](double w, const auto& N, const Gradient& V) {
            const auto f = integrands(pair, N);
            for (int k = 0; k < Moments::count; ++k)
              addGradient(weight * w * f[k], V, column, q.row(k));
          });
    }

    //! Do polygons overlap by more than rounding? A side of one of them separates them if not
    bool overlap(std::span<const Corner> p, std::span<const Corner> q)
    {
      const auto separates = [](std::span<const Corner> a, std::span<const Corner> b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const auto &begin = a[i].xi, &end = a[i + 1 == a.size() ? 0 : i + 1].xi;
          const double length = std::hypot(end[0] - begin[0], end[1] - begin[1]);
          if (length > uncovered && std::all_of(b.begin(), b.end(), [&](const Corner& c) { return doubleArea(begin, end, c.xi) <= uncovered * length; }))
            return true;
        }
        return false;
      };
      return !separates(p, q) && !separates(q, p);
    }

    //! Of polygons that overlap the nearer ones stay, in their order
    void keepNearest(std::vector<Kernel::Piece>& pieces)
    {
      std::vector<std::size_t> order(pieces.size()), kept;
      for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return pieces[i].farthest < pieces[j].farthest; });
      for (std::size_t i : order)
        if (std::none_of(kept.begin(), kept.end(), [&](std::size_t j) { return pieces[i].layer == pieces[j].layer && overlap(pieces[i].polygon.corners(), pieces[j].polygon.corners()); }))
          kept.push_back(i);
      std::sort(kept.begin(), kept.end());
      for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] != i)
          pieces[i] = std::move(pieces[kept[i]]);
      pieces.resize(kept.size());
    }

    double coveredFraction(const std::vector<Kernel::Piece>& pieces, double weight)
    {
      double sum = 0;
      for (const auto& piece : pieces)
        sum += weight * piece.polygon.doubleArea();
      return sum;
    }

    //! A side of a polygon on a side of the image, inside of the facet
    bool isInner(const Corner& begin, const Corner& end)
    {
      if (begin.onLine || std::hypot(end.xi[0] - begin.xi[0], end.xi[1] - begin.xi[1]) <= uncovered)
        return false;
      for (int j = 0; j < 3; ++j)
        if (shapeFunction(begin.xi, j) <= uncovered && shapeFunction(end.xi, j) <= uncovered)
          return false;
      return true;
    }

    //! Do all polygons end at neighbours, at sides of the facet or at ends of the mortar side? Columns are nodes
    bool endsOnlyWithMortarSide(const std::vector<Kernel::Piece>& pieces)
    {
      struct Side
      {
        int layer;
        std::size_t p, q;
        bool operator==(const Side&) const = default;
      };
      std::vector<Side> open;
      for (const auto& piece : pieces) {
        const auto corners = piece.polygon.corners();
        for (std::size_t i = 0; i < corners.size(); ++i) {
          const int k = corners[i].carrier;
          if (!isInner(corners[i], piece.polygon.next(i)) || piece.boundary[k])
            continue;
          const Side side{piece.layer, piece.column[edgeBegin(k)], piece.column[edgeEnd(k)]};
          const auto other = std::find(open.begin(), open.end(), Side{side.layer, side.q, side.p});
          if (other == open.end())
            open.push_back(side);
          else
            open.erase(other);
        }
      }
      return open.empty();
    }

    //! Does the mortar side end at corner i of the facet or before it?
    bool endsBefore(const std::vector<Kernel::Piece>& pieces, int i)
    {
      const Place<double> corner{i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
      for (const auto& piece : pieces) {
        const auto corners = piece.polygon.corners();
        bool inside = true, atEnd = false;
        for (std::size_t c = 0; c < corners.size(); ++c) {
          const auto &begin = corners[c].xi, &end = piece.polygon.next(c).xi;
          const double area = doubleArea(begin, end, corner), length = std::hypot(end[0] - begin[0], end[1] - begin[1]);
          inside = inside && area >= -uncovered * length;
          atEnd = atEnd || (!corners[c].onLine && piece.boundary[corners[c].carrier] && std::abs(area) <= uncovered * length);
        }
        if (inside && !atEnd)
          return false;
      }
      return true;
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

    //! The nodes of a pair as 27 variables
    Nodes<Jet<27>> variables(const Nodes<double>& nodes)
    {
      Nodes<Jet<27>> result;
      int i = 0;
      for (auto [target, values] : {std::pair(&result.a, &nodes.a), std::pair(&result.n, &nodes.n), std::pair(&result.b, &nodes.b)})
        for (int k = 0; k < 3; ++k)
          for (int c = 0; c < 3; ++c)
            (*target)[k][c] = Jet<27>::variable((*values)[k][c], i++);
      return result;
    }

    void addSecond(double weight, const Jet<27>& value, const std::array<std::size_t, 9>& column, LocalCurvature<3>& sum)
    {
      for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j)
          for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
              sum(column[i], column[j])[c][d] += weight * value.derivative(3 * i + c, 3 * j + d);
    }

  } // namespace

  Kernel::FacetKernel(const MortarSettings& settings, const GapWindow& window, int layers)
    : smoothed_(settings.gap == MortarGapKind::smoothedNormal), window_(window), weight_(1.0 / layers)
  {
    if (settings.gap == MortarGapKind::closestPoint)
      throw InputError("the closest-point gap is possible only in two dimensions");
    if (settings.facetPoints > 0)
      throw InputError("a fixed number of points per facet is possible only with the closest-point gap");
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

  //! Of a facet, for many mortar triangles: xi_c = w . dual_c and distance w . normal, with w = y - origin
  struct Kernel::Plane
  {
    Vector origin, normal;
    std::array<Vector, 2> dual;

    explicit Plane(const std::array<Vector, 3>& a)
      : origin(a[0]), normal(normalOf(a))
    {
      const double JJ = normal.two_norm2();
      dual = {Impact::cross(a[2] - a[0], normal) / JJ, Impact::cross(normal, a[1] - a[0]) / JJ};
      normal /= std::sqrt(JJ);
    }

    //! Image of a triangle; nothing if it lies on the other side of a line, or as a whole out of the window
    std::optional<std::array<Place<double>, 3>> image(const std::array<Vector, 3>& y, const GapWindow& window) const
    {
      std::array<Place<double>, 3> xi;
      std::array<int, 3> behind{};
      int above = 0, below = 0;
      for (int k = 0; k < 3; ++k) {
        const Vector w = y[k] - origin;
        const double distance = w * normal;
        above += distance >= window.upper;
        below += distance <= window.lower;
        xi[k] = {w * dual[0], w * dual[1]};
        for (int j = 0; j < 3; ++j)
          behind[j] += shapeFunction(xi[k], j) < 0;
      }
      if (above == 3 || below == 3 || std::find(behind.begin(), behind.end(), 3) != behind.end())
        return std::nullopt;
      return xi;
    }
  };

  //! The window is that of the distance s J along the normal of the facet; it is affine, so that corners tell
  std::optional<Kernel::Piece> Kernel::makePiece(const NonmortarFacet<3>& facet, const Plane& plane, const MortarFacet<3>& mortar) const
  {
    const auto image = plane.image(mortar.y, window_);
    if (!image)
      return std::nullopt;
    const ClippedTriangle polygon(*image);
    if (!(polygon.doubleArea() > smallestPart))
      return std::nullopt;
    Piece piece{.nodes = {facet.a, facet.n, mortar.y},
                .column = {mortar.node[0], mortar.node[1], mortar.node[2]},
                .boundary = mortar.boundary,
                .layer = mortar.layer,
                .polygon = polygon,
                .mu = {},
                .farthest = 0};
    const PairValues<double> pair(piece.nodes, smoothed_);
    for (const Corner& corner : polygon.corners()) {
      double distance = 0;
      for (int i = 0; i < 3; ++i)
        distance += pair.J * pair.s[i] * shapeFunction(corner.xi, i);
      if (!(distance > window_.lower && distance < window_.upper))
        return std::nullopt;
      piece.farthest = std::max(piece.farthest, std::abs(distance));
    }
    return piece;
  }

  void Kernel::setCover(Result& result) const
  {
    auto& [moments, pieces] = result;
    if (pieces.empty())
      return;
    const auto isFull = [&] { return std::abs(moments.fraction - 1) < uncovered; };
    moments.fraction = coveredFraction(pieces, weight_);
    if (!isFull()) {
      keepNearest(pieces);
      moments.fraction = coveredFraction(pieces, weight_);
    }
    const auto hasEnd = [](const Piece& piece) { return piece.boundary[0] || piece.boundary[1] || piece.boundary[2]; };
    if (!isFull() || std::any_of(pieces.begin(), pieces.end(), hasEnd))
      for (int i = 0; i < 3; ++i)
        moments.ended[i] = endsBefore(pieces, i);
    if (isFull())
      moments.cover = Cover::full;
    else
      moments.cover = endsOnlyWithMortarSide(pieces) ? Cover::cut : Cover::rejected;
  }

  void Kernel::integrate(bool derivatives, Result& result) const
  {
    auto& q = result.moments;
    q.R.assign(3 * q.mortar.size(), 0);
    if (derivatives)
      q.derivative.assign(q.moments() * q.columns(), Vector(0));
    for (Piece& piece : result.pieces) {
      std::array<Place<double>, 9> places;
      const auto corners = piece.polygon.corners();
      for (std::size_t i = 0; i < corners.size(); ++i)
        places[i] = corners[i].xi;
      piece.mu = integrateMonomials<double>({places.data(), corners.size()}, corners);
      const Pair pair(piece.nodes, smoothed_);
      addValues(pair, piece, weight_, q);
      if (!derivatives)
        continue;
      for (int j = 0; j < 3; ++j)
        addGradient(weight_, gapGradient(pair, piece.mu, j), gradientColumns(piece), q.row(Moments::b(j)));
      if (q.cover == Cover::cut)
        addCutDerivatives(pair, piece, weight_, q);
    }
  }

  Kernel::Result Kernel::evaluate(const NonmortarFacet<3>& facet, std::span<const MortarFacet<3>> mortar, bool derivatives) const
  {
    Result result;
    const Vector N = normalOf(facet.a);
    if (smoothed_ && std::any_of(facet.n.begin(), facet.n.end(), [&](const Vector& n) { return !(n * N > leastLean * N.two_norm()); })) {
      result.moments.cover = Cover::rejected;
      return result;
    }
    const Plane plane(facet.a);
    result.pieces.reserve(std::min<std::size_t>(mortar.size(), 8));
    for (const auto& triangle : mortar)
      if (auto piece = makePiece(facet, plane, triangle))
        result.pieces.push_back(std::move(*piece));
    setCover(result);
    number(result);
    if (result.moments.contributes())
      integrate(derivatives, result);
    return result;
  }

  /** Of a facet that is covered wholly:
   *
   *     dd int f = int ddf + sum over sides on mortar edges of int df V^T,
   *
   * the second derivative at fixed polygons and the flux of the first one, which jumps across
   * mortar edges. The sum over the polygons is symmetric up to rounding.
   */
  void Kernel::addFrozenCurvature(const Piece& piece, std::span<const double> factors, LocalCurvature<3>& sum) const
  {
    const auto column = gradientColumns(piece);
    addSecond(weight_, functional(variables(piece.nodes), piece.mu, smoothed_, factors), column, sum);
    const Pair pair(piece.nodes, smoothed_);
    const auto corners = piece.polygon.corners();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (corners[i].onLine)
        continue;
      forSweptPoints(pair, piece, i, [&](double w, const auto& N, const Gradient& V) {
        Monomials<double> point;
        point.add(1, N);
        point.symmetrise();
        Gradient df = zeroGradient();
        for (int j = 0; j < 3; ++j) {
          const auto part = gapGradient(pair, point, j);
          for (int k = 0; k < 9; ++k)
            df[k].axpy(factors[j], part[k]);
        }
        for (int k = 0; k < 9; ++k)
          for (int l = 0; l < 9; ++l)
            for (int c = 0; c < 3; ++c)
              sum(column[k], column[l])[c].axpy(weight_ * w * df[k][c], V[l]);
      });
    }
  }

  //! Of a facet that is cut: the integral over the moving polygon, all of it as jets
  void Kernel::addMovingCurvature(const Piece& piece, std::span<const double> factors, LocalCurvature<3>& sum) const
  {
    const auto nodes = variables(piece.nodes);
    const std::array<Place<Jet<27>>, 3> image{project(nodes.a, nodes.b[0]), project(nodes.a, nodes.b[1]), project(nodes.a, nodes.b[2])};
    std::vector<Place<Jet<27>>> corners;
    for (const Corner& corner : piece.polygon.corners())
      corners.push_back(movingCorner(corner, image));
    const auto mu = integrateMonomials<Jet<27>>(corners, piece.polygon.corners());
    addSecond(weight_, functional(nodes, mu, smoothed_, factors), gradientColumns(piece), sum);
  }

  void Kernel::addCurvature(const NonmortarFacet<3>&, const Result& result, std::span<const double> factors, LocalCurvature<3>& sum) const
  {
    for (const Piece& piece : result.pieces)
      if (result.moments.cover == Cover::cut)
        addMovingCurvature(piece, factors, sum);
      else
        addFrozenCurvature(piece, factors, sum);
  }

  double Kernel::smallestGap(const NonmortarFacet<3>& facet, const Result& result, Vector& place) const
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
