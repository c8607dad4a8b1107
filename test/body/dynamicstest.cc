// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/beam.hh>
#include <dune/impact/body/dynamics.hh>
#include <dune/impact/body/rigidbody.hh>

/* Derivatives of the equation of motion by differences, for a beam, rigid bodies with and without a
 * pivot and a bar in a configuration far from the first one. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  using Numbers = std::vector<double>;

  struct Scene
  {
    System system;
    Numbers q, v;

    Scene()
    {
      const Vector6 strain = parts({0.1, 0.3, 0.2}, {0, 0, 1});
      Beam::Settings beam{.name = "beam", .length = 2, .elements = 3};
      beam.formulation = BeamFormulation::exponential;
      beam.frames = constantStrainFrames({Matrix3::Identity(), Vector3::Zero()}, strain,
                                         beam.length, beam.elements, beam.formulation);
      system.add(std::make_unique<Beam>(beam));
      const auto shape = std::make_shared<BallShape>(0.5);
      system.add(std::make_unique<RigidBody>(RigidBody::Settings{
        .name = "top", .mass = {2, {0.5, 0.7, 0.9}}, .shape = shape, .gravity = {1, -2, -3}}));
      system.add(std::make_unique<RigidBody>(RigidBody::Settings{.name = "held",
                                                                 .mass = {1, {0.4, 0.3, 0.6}},
                                                                 .shape = shape,
                                                                 .pivot = Vec3{0, 0.1, -0.3},
                                                                 .gravity = {0, 0, -1}}));
      system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar", .length = 1, .elements = 4}));
      const State initial = system.initialState();
      Numbers step = random(1, 0.4);
      q.resize(initial.q.size());
      system.retract(initial.q, step, q);
      v = random(2, 1);
    }

    Numbers random(unsigned seed, double size) const
    {
      std::mt19937 generator(seed);
      std::uniform_real_distribution<double> uniform(-size, size);
      Numbers x(system.velocitySize());
      for (double& value : x)
        value = uniform(generator);
      for (int c = 0; c < 3; ++c) // dofs of a body with a pivot that mean nothing
        x[system.point(2, 0).velocityOffset + c] = 0;
      return x;
    }
  };

  Numbers product(const Triplets& entries, const Numbers& x)
  {
    Numbers y(x.size(), 0);
    addProduct(entries, 1, x, y);
    return y;
  }

  Numbers sum(const Numbers& x, double factor, const Numbers& y)
  {
    Numbers result = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      result[i] += factor * y[i];
    return result;
  }

  double largest(const Numbers& x)
  {
    double result = 0;
    for (double value : x)
      result = std::max(result, std::abs(value));
    return result;
  }

  void checkDerivative(TestSuite& test, const std::string& name, const Numbers& value,
                       const Numbers& differences)
  {
    const double scale = largest(differences);
    test.check(scale > 1e-3, name + ": it depends on its argument") << scale;
    test.check(largest(sum(value, -1, differences)) <= 1e-7 * scale, name)
      << largest(sum(value, -1, differences)) / scale;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Scene scene;
  const System& system = scene.system;
  const Dynamics dynamics(system);
  const double h = 1e-5;
  const Numbers x = scene.random(3, 1), zero(system.velocitySize(), 0);

  const auto force = [&](const Numbers& v) {
    Numbers p = zero;
    dynamics.addForce(0.3, scene.q, v, 1, p);
    return p;
  };
  Triplets damping;
  dynamics.addDamping(scene.q, scene.v, damping);
  Numbers differences = sum(force(sum(scene.v, h, x)), -1, force(sum(scene.v, -h, x)));
  for (double& value : differences)
    value /= -2 * h;
  checkDerivative(test, "damping", product(damping, x), differences);

  const Numbers gyroscopic = sum(force(scene.v), -1, force(zero));
  test.check(largest(gyroscopic) > 1e-3, "there is a gyroscopic force");
  test.check(std::abs(Impact::dot(scene.v, gyroscopic)) <=
               1e-13 * largest(gyroscopic) * largest(scene.v) * double(zero.size()),
             "gyroscopic forces do no work")
    << Impact::dot(scene.v, gyroscopic);

  // retract(q, dq + h x) = retract(retract(q, dq), h T x)
  const Numbers dq = scene.random(4, 0.6);
  const auto retracted = [&](const Numbers& step) {
    Numbers q(scene.q.size());
    system.retract(scene.q, step, q);
    return q;
  };
  const Numbers middle = retracted(dq);
  Numbers ahead(zero.size()), behind(zero.size());
  system.difference(middle, retracted(sum(dq, h, x)), ahead);
  system.difference(middle, retracted(sum(dq, -h, x)), behind);
  Triplets tangent;
  dynamics.addRetractTangent(dq, tangent);
  differences = sum(ahead, -1, behind);
  for (double& value : differences)
    value /= 2 * h;
  checkDerivative(test, "tangent of retract()", product(tangent, x), differences);

  // M v is the momentum
  Triplets mass;
  dynamics.addMass(scene.q, mass);
  Numbers p(zero.size());
  system.momentum(scene.q, scene.v, p);
  test.check(largest(sum(product(mass, scene.v), -1, p)) <= 1e-13 * largest(p),
             "mass times velocity is the momentum");
  return test.exit();
}
