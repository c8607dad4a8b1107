// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/contact/beam/beampoint.hh>
#include <dune/impact/contact/beam/variedframe.hh>

namespace Dune::Impact {

  namespace {

    /* Derivatives by thirteen variables: the increments (angular, linear) of the frames at C and at
     * F, and that of eta. */
    constexpr int variables = 13;
    using Calculus = Variation<variables>;
    using Number = Calculus::Number;
    using Varied = Calculus::Varied;
    using VariedFrame = Calculus::VariedFrame;

    //! A frame that only slides along its beam with eta
    VariedFrame slidingFrame(const Frame& frame, const Vector6& x)
    {
      VariedFrame result{frame};
      result.turn.col(12) = x.head<3>();
      result.move.col(12) = x.tail<3>();
      return result;
    }

    using Rows24 = Eigen::Matrix<double, 6, 24>;

    //! Increment of the frame at s from the increments of the nodes
    Rows24 spread(const Matrix6& Y, int first)
    {
      Rows24 Q = Rows24::Zero();
      Q.block<6, 6>(0, first) = Matrix6::Identity() - Y;
      Q.block<6, 6>(0, first + 6) = Y;
      return Q;
    }

    using Row24 = Eigen::Matrix<double, 1, 24>;

    // The frame of a point and its variation, in its own axes, by those of the four nodes
    struct MovedFrame
    {
      const Frame& frame;
      const Rows24& variation;
    };

    //! The direction of the equation of a partner, in the axes of the section: R^T x_F' or R^T t_F
    Vector3 direction(BeamPartner kind, const BeamPiece& piece)
    {
      return kind == BeamPartner::closest ? Vector3(piece.x.tail<3>()) : Vector3::UnitZ();
    }

    /* Derivative of the coordinate eta of the partner F on a piece of the point C: with the
     * equation h = (R v) . (F - C) = 0, deta = -(dh at fixed eta) / (dh/deta). P2 is the
     * derivative of the relative twist x of the piece, and its lower half that of v for closest
     * points.
     */
    Row24 partnerSlide(BeamPartner kind, const BeamPiece& piece, double eta, const MovedFrame& C,
                       const MovedFrame& F, const Rows24& P2)
    {
      const PartnerEquation equation(kind, piece, eta, C.frame.position);
      const Vector3 v = direction(kind, piece), spatial = F.frame.rotation * v,
                    difference = F.frame.position - C.frame.position;
      const Vector3 local = F.frame.rotation.transpose() * difference;
      Row24 slide = spatial.transpose() * (F.frame.rotation * F.variation.bottomRows<3>() -
                                           C.frame.rotation * C.variation.bottomRows<3>()) -
                    local.transpose() * hat(v) * F.variation.topRows<3>();
      if (kind == BeamPartner::closest)
        slide += local.transpose() * P2.bottomRows<3>();
      slide /= -equation.slope;
      return slide;
    }

  } // namespace

  /* With the frame (R, x_F) at eta and the relative twist (w, u) of the piece x_F' = R u and R' =
   * R hat(w):
   *
   *     value = (R v) . (x_F - x),   slope = v . u + (R (w x v)) . (x_F - x). */
  PartnerEquation::PartnerEquation(BeamPartner kind, const BeamPiece& piece, double eta,
                                   const Vector3& x)
  {
    const Frame g = piece.frame(eta);
    const Vector3 w = piece.x.head<3>(), u = piece.x.tail<3>(), v = direction(kind, piece);
    const Vector3 difference = g.position - x;
    value = (g.rotation * v).dot(difference);
    size = v.dot(u);
    slope = size + (g.rotation * w.cross(v)).dot(difference);
  }

  /* Gap, slips and axes are differentiated by the thirteen variables (C, F, eta); Z is the
   * derivative of these variables by the four nodes, where deta (`slide`) moves F along its beam
   * by x deta. The stiffness is d(Q1^T wC + Q2^T wF) with the wrenches wC, wF of the force l at C
   * and F: the derivatives of the wrenches, and those of the weights Q by the relative twists and
   * eta (`shift`). */
  BeamPoint::BeamPoint(const Side& nonmortar, double s, const Side& mortar, const Place& partner,
                       const Vector3& l)
  {
    const double eta = partner.eta;
    const BeamPiece &one = nonmortar.now, &two = mortar.now;
    const VariedFrame C = Calculus::variedFrame(one.frame(s), 0),
                      F = Calculus::variedFrame(two.frame(eta), 6);
    const Matrix6 Y1 = BeamInterpolation::weight(s, one.x),
                  Y2 = BeamInterpolation::weight(eta, two.x);
    const Rows24 Q1 = spread(Y1, 0), Q2 = spread(Y2, 12);
    Rows24 P1 = Rows24::Zero(), P2 = Rows24::Zero();
    P1.leftCols<12>() = BeamInterpolation::relative(one.x);
    P2.rightCols<12>() = BeamInterpolation::relative(two.x);

    Row24 slide = Row24::Zero(); // deta
    if (!partner.held)
      slide = partnerSlide(partner.kind, two, eta, {C.frame, Q1}, {F.frame, Q2}, P2);
    Eigen::Matrix<double, variables, 24> Z;
    Z << Q1, Q2 + two.x * slide, slide;

    const Varied difference = F.position() - C.position(),
                 axis = Calculus::constant(Vector3::UnitZ());
    const Number distance = norm(difference);
    const Varied n = normalised(difference), tC = C.rotate(axis), tF = F.rotate(axis);
    const Varied m = tC + (tC.value.dot(tF.value) < 0 ? -1.0 : 1.0) * tF;
    const Varied t1 = normalised(m - dot(n, m) * n), t2 = cross(n, t1);
    const Varied XC = nonmortar.radius * C.rotateBack(n), XF = -mortar.radius * F.rotateBack(n);

    const VariedFrame C0{nonmortar.before.frame(s)},
      F0 = slidingFrame(mortar.before.frame(eta), mortar.before.x);
    const Varied moved = (F.position() + F.rotate(XF) - F0.position() - F0.rotate(XF)) -
                         (C.position() + C.rotate(XC) - C0.position() - C0.rotate(XC));
    const Number slip1 = dot(t1, moved), slip2 = dot(t2, moved);
    normal = n.value;
    g << distance.value - nonmortar.radius - mortar.radius, slip1.value, slip2.value;
    derivative << distance.d * Z, slip1.d * Z, slip2.d * Z;

    int row = 0;
    for (const Varied* c : {&n, &t1, &t2})
      rows.row(row++) = wrench(XF.value, F.rotateBack(*c).value).transpose() * Q2 -
                        wrench(XC.value, C.rotateBack(*c).value).transpose() * Q1;

    const Varied f = l[0] * n + l[1] * t1 + l[2] * t2, atC = -1.0 * C.rotateBack(f),
                 atF = F.rotateBack(f);
    const Vector6 wC = wrench(XC.value, atC.value), wF = wrench(XF.value, atF.value);
    force = f.value;
    stiffness = Q1.transpose() * (Calculus::wrenchDerivative(XC, atC) * Z) +
                Q2.transpose() * (Calculus::wrenchDerivative(XF, atF) * Z);
    const Rows24 shift1 = BeamInterpolation::weightTransposedDerivative(s, one.x, wC) * P1;
    const Rows24 shift2 = BeamInterpolation::weightTransposedDerivative(eta, two.x, wF) * P2 +
                          BeamInterpolation::weightSlope(eta, two.x).transpose() * wF * slide;
    stiffness.middleRows<6>(0) -= shift1;
    stiffness.middleRows<6>(6) += shift1;
    stiffness.middleRows<6>(12) -= shift2;
    stiffness.middleRows<6>(18) += shift2;
  }

} // namespace Dune::Impact
