// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <optional>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortargap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/timestep/implicitstepper.hh>

/* A soft ball on a soft block, and two free discs, against numbers of an independent implementation
 * of the same rules (units mm, ms, g; energies in mJ per mm thickness). In every step of every run the
 * energy balance of the rule is checked. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  struct Setup
  {
    ImplicitRule rule = ImplicitRule::dissipative;
    double step = 1;
    double spin = 0.04;        //!< clockwise: rolls forward
    Vec3 velocity = {2, 0, 0};
    Vec3 shift = {0, 0, 0};    //!< of the ball
    double gravity = 9.81e-3;
    double reach = 3;
    double returned = 0;
    SqpSettings sqp = {};
    bool secondDisc = false;   //!< a free disc instead of the block
    bool wholeEdges = false;   //!< closest point with 8 points per edge, without segments
  };

  //! Bodies, contact and stepper of a set-up
  struct Scene
  {
    explicit Scene(const Setup& setup)
    {
      addBody("ball", "ball_coarse.msh", setup.shift, 0, setup);
      if (setup.secondDisc) {
        const double c = std::cos(0.3), s = std::sin(0.3); // turned by 0.3 about its centre (80, 52), which goes to (100, -46)
        addBody("other", "ball_coarse.msh", {100 - (80 * c - 52 * s), -46 - (80 * s + 52 * c), 0}, 0.3, setup);
      }
      else
        addBody("block", "block_coarse.msh", {0, 0, 0}, 0, setup);
      const auto& second = dynamic_cast<const Solid<2>&>(system.body(1)).mesh();
      const auto& first = dynamic_cast<const Solid<2>&>(system.body(0)).mesh();
      contacts.push_back({"contact", std::make_unique<MortarGap<2>>(makeContactSurface<2>(first, first.findPatch("contact_nonmortar"), 0, 0),
                                                                     makeContactSurface<2>(second, second.findPatch(setup.secondDisc ? "contact_nonmortar" : "contact_mortar"), 1, first.nodes.size()),
                                                                     mortarSettings(setup))});
      ImplicitStepper<2>::Settings settings{.step = setup.step, .rule = setup.rule, .sqp = setup.sqp, .returnedEnergy = setup.returned};
      stepper = std::make_unique<ImplicitStepper<2>>(system, contacts, settings);
    }

    static MortarSettings mortarSettings(const Setup& setup)
    {
      MortarSettings settings{.window = GapWindow{-setup.reach, setup.reach}};
      if (setup.wholeEdges) {
        settings.gap = MortarGapKind::closestPoint;
        settings.facetPoints = 8;
      }
      return settings;
    }

    void addBody(const std::string& name, const std::string& file, const Vec3& position, double angle, const Setup& setup)
    {
      const bool moves = name == "ball";
      auto mesh = refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/" + file), 0, file);
      placeMesh<2>(mesh, position, {0, 0, angle});
      Solid<2>::Settings settings{.name = name, .mesh = std::move(mesh), .material = StVenantKirchhoff<2>{Lame::fromYoung(1.0, 0.3)}, .density = 1e-4,
                                  .motion = {.velocity = moves ? setup.velocity : Vec3(0), .spin = {0, 0, moves ? -setup.spin : 0}}, .gravity = {0, -setup.gravity, 0}};
      if (name == "block")
        settings.supports = {{.patch = "clamped"}};
      system.add(std::make_unique<Solid<2>>(std::move(settings)));
    }

    System system;
    std::vector<SurfaceContact<2>> contacts;
    std::unique_ptr<ImplicitStepper<2>> stepper;
  };

  //! A step with everything to look at
  struct Step
  {
    const State& from;
    const State& to;
    const StepReport& report;
    Record record;
  };

  //! What a run showed
  struct Run
  {
    double initial = 0, change = 0, gain = 0, largestRise = 0, slack = 0, balance = 0, overlap = 0, work = 0;
    double momentum = 0, angular = 0;
    double contactIterations = 0;
    int contactSteps = 0, mostIterations = 0;
  };

  //! -mu.max(0, c(x)): the loss that the dissipative rule promises
  double promisedLoss(const Scene& scene, const Step& step)
  {
    GapSet<2> gaps;
    scene.contacts[0].coupling->addGaps(step.from.time, step.from.q, 0, gaps);
    double loss = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      loss += step.to.history[0].values[gaps[p].slot] * std::max(0.0, gaps[p].value);
    return loss;
  }

  template<class Look>
  Run run(const Setup& setup, long steps, Look&& look)
  {
    Scene scene(setup);
    Run result;
    StepReport report;
    State state = scene.stepper->start(scene.system.initialState(), report), next;
    Record last = scene.stepper->record(state, state);
    const Record first = last;
    result.initial = first.kinetic + first.stored.elastic;
    for (long n = 0; n < steps; ++n) {
      scene.stepper->step(state, next, report);
      const Record record = scene.stepper->record(state, next);
      const Step step{state, next, report, record};
      const double work = next.ledger.contactWork - state.ledger.contactWork, drift = next.ledger.stepWork - state.ledger.stepWork;
      double expected = work + drift;
      if (setup.rule == ImplicitRule::dissipative && setup.returned == 0)
        expected = -promisedLoss(scene, step);
      result.balance = std::max(result.balance, std::abs(record.total() - last.total() - expected) - scene.stepper->slack());
      result.slack = std::max(result.slack, scene.stepper->slack());
      result.largestRise = std::max(result.largestRise, record.total() - last.total() - scene.stepper->slack());
      result.change = record.total() - first.total();
      result.gain = std::max(result.gain, result.change);
      result.overlap = std::max(result.overlap, -report.minGap);
      if (next.time > 19.9 && next.time < 30)
        result.work += work;
      result.momentum = std::max(result.momentum, (record.momenta.linear - first.momenta.linear).infinity_norm());
      result.angular = std::max(result.angular, (record.momenta.angular - first.momenta.angular).infinity_norm());
      if (report.contacts > 0) {
        ++result.contactSteps;
        result.contactIterations += report.solve.iterations;
      }
      result.mostIterations = std::max(result.mostIterations, report.solve.iterations);
      look(scene, step);
      last = record;
      std::swap(state, next);
    }
    result.contactIterations /= std::max(1, result.contactSteps);
    return result;
  }

  Run run(const Setup& setup, long steps)
  {
    return run(setup, steps, [](const Scene&, const Step&) {});
  }

  //! Balance of every step, and for the dissipative rule no rise of the energy
  void checkBalance(TestSuite& test, const std::string& name, const Setup& setup, const Run& run)
  {
    const double roundOff = 1e-12 * run.initial;
    test.check(run.balance <= roundOff, name) << "energy balance of a step is wrong by " << run.balance;
    if (setup.rule == ImplicitRule::dissipative)
      test.check(run.largestRise <= roundOff, name) << "energy rises by " << run.largestRise << " in a step";
    if (setup.rule != ImplicitRule::midpoint)
      test.check(run.overlap < 1e-9, name) << "overlap " << run.overlap;
  }

  struct Row { double time, change, height, speed; };

  struct Reference
  {
    const char* name;
    ImplicitRule rule;
    double step, end, spin;
    bool lasting;
    double initial, work, smallestGap;
    std::vector<Row> rows;
  };

  //! Total energy less its first value, height and vertical speed of the centre of the ball
  TestSuite ballOnBlockMatchesReferences()
  {
    TestSuite test("ball on block");
    const std::vector<Reference> references = {
      {"rolling", ImplicitRule::modified, 1, 120, 0.04, false, 2.351152756385498, -0.004951365975099413, -1.014594059860446e-12, {{10, 0.001367908300237364, 51.50949999999816, -0.09810000000023923}, {20, 0.002580405224672511, 50.03799999999576, -0.1962000000002387}, {22, -0.001591215504121557, 49.69824118904463, -0.1188923205326678}, {24, -0.00543377402901779, 49.68917269337508, 0.1093127451780467}, {27, -0.003914827937172571, 50.21297149897237, 0.1805156433932262}, {30, -0.002801514749456668, 50.71037342915203, 0.1510856433932244}, {60, -0.002840814678143122, 50.82844273094879, -0.1432143566067745}, {120, -0.009623342518575662, 50.88133452546022, 0.1004161984733991}}},
      {"rolling", ImplicitRule::midpoint, 1, 120, 0.04, false, 2.351152756385498, 0.00850157943349612, -0.1223194967395324, {{10, 0.001367908300237364, 51.50949999999816, -0.09810000000023923}, {20, 0.002580405224672511, 50.03799999999576, -0.1962000000002387}, {22, 0.01073542511254555, 49.68375078179022, -0.1239365197128265}, {24, 0.01905143798446174, 49.66027490832882, 0.1168845385864325}, {27, 0.009477346710266676, 50.22685655845513, 0.2025566209346438}, {30, 0.01056198242038331, 50.79038142125906, 0.173126620934643}, {60, 0.01112140854155408, 51.5696800492984, -0.1211733790653561}, {120, 0.01845919391989881, 49.97705854339564, -0.2210799430444001}}},
      {"rolling", ImplicitRule::modified, 0.5, 120, 0.04, false, 2.351152756385498, -0.0009360374150787738, -1.165366126147642e-13, {{10, 0.0002096875116657237, 51.50949999999813, -0.09810000000023969}, {20, 0.000226020383751635, 50.03799999999573, -0.1962000000002413}, {22, -0.0008044004850118469, 49.68713972383818, -0.1184288270659376}, {24, -0.000903490553926467, 49.6822494083038, 0.1183022260113008}, {27, -0.0007942419087902941, 50.24458140853822, 0.1925920642459763}, {30, -0.0008977861526617836, 50.77821260127616, 0.1631620642459743}, {60, -0.0008968625561047716, 51.25857452865539, -0.1311379357540183}, {120, -0.002625832455566357, 50.31708393958182, 0.1645826890653611}}},
      {"rolling", ImplicitRule::midpoint, 0.5, 120, 0.04, false, 2.351152756385498, 0.002070923541404145, -0.06426573425274563, {{10, 0.0002096875116657237, 51.50949999999813, -0.09810000000023969}, {20, 0.000226020383751635, 50.03799999999573, -0.1962000000002413}, {22, -0.00116552057030983, 49.68031080721244, -0.1224461124255688}, {24, 0.002434574627944386, 49.67473821922982, 0.1204931844908697}, {27, 0.002217687432600535, 50.25122723245953, 0.1976327435147685}, {30, 0.002135279929950329, 50.79998046300383, 0.1682027435147695}, {60, 0.002134742966429126, 51.4315627684469, -0.126097256485232}, {120, 0.01235435686484188, 49.81197479098688, 0.1794551846494335}}},
      {"rolling", ImplicitRule::modified, 0.25, 40, 0.04, false, 2.351152756385498, -0.0001315406640027259, -9.697576418965078e-16, {{10, 2.213825120556123e-06, 51.50949999999813, -0.09810000000024562}, {20, 5.718650319508356e-06, 50.03799999999566, -0.1962000000002433}, {22, -0.0001245280720727493, 49.682272246415, -0.1194949850611221}, {24, -0.000180307734243268, 49.68057863912318, 0.1217336408525624}, {27, -0.0001249111222674237, 50.25548476297989, 0.1962791368686}, {30, -0.0001106084761803849, 50.80017717358567, 0.1668491368685938}}},
      {"rolling", ImplicitRule::midpoint, 0.25, 40, 0.04, false, 2.351152756385498, 0.000912114219417962, -0.01061917922669319, {{10, 2.213825120556123e-06, 51.50949999999813, -0.09810000000024562}, {20, 5.718650319508356e-06, 50.03799999999566, -0.1962000000002433}, {22, 0.00119337955032961, 49.6818550420743, -0.1193597579722962}, {24, 0.0008947985732907782, 49.6801021958253, 0.1227599671867357}, {27, 0.0009242904186628209, 50.25667022582404, 0.1968006537850246}, {30, 0.0009399612520013534, 50.8029271871791, 0.1673706537850252}}},
      {"rolling", ImplicitRule::modified, 0.125, 40, 0.04, false, 2.351152756385498, -8.215786022332513e-05, -4.265018457972381e-16, {{10, 8.508338135815308e-06, 51.50949999999823, -0.0981000000002212}, {20, 5.850178363964176e-06, 50.03799999999602, -0.1962000000002174}, {22, -7.848817432032362e-05, 49.68165327168589, -0.1194208980439753}, {24, -8.698519892735845e-05, 49.68092895698529, 0.1224992356703167}, {27, -7.244896772995446e-05, 50.25865602958422, 0.197269391112076}, {30, -8.057929930904706e-05, 50.80631920292043, 0.1678393911120679}}},
      {"rolling", ImplicitRule::modified, 2, 120, 0.04, false, 2.351152756385498, -0.01506990883910556, -9.903266679119515e-16, {{10, 0.01885867104140448, 51.50949999999817, -0.09810000000023714}, {20, 0.02941824356448119, 50.04316978648916, -0.1910302135068749}, {22, 0.004322101026585479, 49.7443627266763, -0.1077768463059932}, {24, 0.002841587491142938, 49.71820240084829, 0.08161652047799896}, {30, 0.01866273532673546, 50.62209915836392, 0.1409120474075245}, {60, -0.001006412725451877, 50.43496058058967, -0.1533879525924755}, {120, -0.01195657956474472, 50.50711243336946, -0.04936870037190126}}},
      {"sliding", ImplicitRule::modified, 1, 120, 0.002, false, 1.570231441550753, 0.0005905091683662208, -2.972193128040013e-15, {{10, 8.695337561093197e-09, 51.50950000000044, -0.09810000000001028}, {20, 1.627041346097258e-08, 50.03800000000034, -0.1962000000000098}, {30, 0.0005928854196231015, 50.64760101384013, 0.139967635325998}, {60, 0.0005937369023243377, 50.43213007362011, -0.1543323646740007}, {120, 0.002955667364526127, 51.10017004211156, 0.03700410714363905}}},
      {"sliding", ImplicitRule::midpoint, 1, 120, 0.002, false, 1.570231441550753, 0.004111842135622245, -0.07880895345517913, {{10, 8.695337561093197e-09, 51.50950000000044, -0.09810000000001028}, {20, 1.627041346097258e-08, 50.03800000000034, -0.1962000000000098}, {30, 0.004151919135758186, 50.71915525636886, 0.1548770911115842}, {60, 0.004155759064589759, 50.95096798971639, -0.1394229088884153}, {120, 0.01014242130274701, 50.66832638162497, 0.1546556418049656}}},
      {"sliding", ImplicitRule::modified, 0.5, 40, 0.002, false, 1.570231441550753, 0.0007232196100776212, -3.649372421734429e-15, {{10, 1.274454985988882e-09, 51.50950000000042, -0.09810000000001046}, {20, 1.4045888896419e-09, 50.03800000000033, -0.1962000000000101}, {30, 0.000723125961368476, 50.72389963775836, 0.1503319974419012}}},
      {"rolling", ImplicitRule::dissipative, 1, 120, 0.04, false, 2.351152756385498, -0.005301270391195906, -4.478583157457817e-16, {{10, 5.773159728050814e-15, 51.50949999999816, -0.09810000000023796}, {20, 7.549516567451064e-15, 50.03799999999578, -0.1962000000002381}, {22, -0.002890423465400804, 49.69597406894197, -0.1218024198948162}, {24, -0.005208264677547536, 49.67709482502724, 0.1043694641142474}, {27, -0.005301270391245172, 50.19304560416156, 0.1795283373680182}, {30, -0.005301270391242952, 50.6874856162656, 0.1500983373680187}, {60, -0.005301270391225188, 50.77593573730613, -0.1442016626319831}, {120, -0.01347837390843409, 50.8557564028438, 0.1198242106441361}}},
      {"rolling", ImplicitRule::dissipative, 0.5, 120, 0.04, false, 2.351152756385498, -0.0009462300138795882, -4.458160663670784e-15, {{10, 1.4210854715202e-14, 51.50949999999816, -0.09810000000023618}, {20, 3.996802888650564e-14, 50.03799999999578, -0.196200000000239}, {22, -0.0009020096359093621, 49.68589508049813, -0.119695584222801}, {24, -0.0009462300140512525, 49.67836192807889, 0.1170471325992788}, {27, -0.000946230014043703, 50.23952862058244, 0.1924078347599068}, {30, -0.0009462300140445912, 50.77260712486216, 0.162977834759906}, {60, -0.0009462300140223867, 51.24744216765941, -0.1313221652400883}, {120, -0.002697228117724215, 50.32136204249108, 0.165324228850508}}},
      {"rolling", ImplicitRule::dissipative, 0.125, 28, 0.04, false, 2.351152756385498, -7.820172919474459e-05, -4.394396078504501e-16, {{10, -2.828848266744899e-13, 51.5094999999984, -0.09810000000020999}, {20, -2.238209617644316e-13, 50.03799999999618, -0.1962000000002137}, {22, -6.687556437157127e-05, 49.68155936789526, -0.1195085153316261}, {24, -7.820172947559101e-05, 49.6806710164123, 0.1224339696561618}, {27, -7.820172943917569e-05, 50.25836857485196, 0.1972753735568365}}},
      {"sliding", ImplicitRule::dissipative, 1, 120, 0.002, false, 1.570231441550753, -0.001643351925912848, -7.948869300379446e-16, {{10, 1.332267629550188e-15, 51.50950000000042, -0.09810000000001018}, {20, 5.995204332975845e-15, 50.03800000000033, -0.1962000000000083}, {22, -0.001643351926760461, 49.69836075287913, -0.1169380642680217}, {24, -0.001643351926873482, 49.68820627800462, 0.1088501927976965}, {27, -0.001643351926759573, 50.18330064152987, 0.1674117285466414}, {30, -0.001643351926737147, 50.6413908271698, 0.1379817285466414}, {60, -0.001643351926749581, 50.36634268356912, -0.1563182714533563}, {120, -0.002892410144681667, 51.11924521218781, 0.03154872663120995}}},
      {"sliding", ImplicitRule::dissipative, 0.5, 120, 0.002, false, 1.570231441550753, -0.0004169157132876113, -3.372086786439612e-15, {{10, 1.976196983832779e-14, 51.50950000000041, -0.09810000000001343}, {20, 8.881784197001252e-16, 50.03800000000027, -0.1962000000000126}, {22, -0.0004169157134670254, 49.68416642907497, -0.1182736751257799}, {24, -0.000416915713440158, 49.69078426652419, 0.1240264850568285}, {27, -0.0004169157137301482, 50.22921665850637, 0.1793485383813906}, {30, -0.0004169157137292601, 50.72311727365053, 0.1499185383813872}, {60, -0.0004169157137321466, 50.80617342509206, -0.1443814616186174}, {120, -0.0006444149628335172, 50.95837125855166, 0.1064974972031843}}},
      {"sliding", ImplicitRule::dissipative, 0.125, 28, 0.002, false, 1.570231441550753, -4.00173734273385e-05, -4.922582472457845e-16, {{10, -6.17284001691587e-14, 51.50950000000061, -0.09809999999997322}, {20, 3.907985046680551e-14, 50.03800000000126, -0.1961999999999092}, {22, -4.001737337300248e-05, 49.67980115033008, -0.1178768619163622}, {24, -4.001737332615107e-05, 49.69277104503536, 0.1286738846946521}, {27, -4.001737344849765e-05, 50.24288623366775, 0.1822328061174879}}},
      {"lasting", ImplicitRule::dissipative, 1, 120, 0.002, true, 1.570231441550753, -4.639478243607874e-05, -7.872410222547571e-14, {{10, -0.0001800605368225128, 49.97522583554161, 0.06615211646870846}, {20, -0.0005025879991564786, 49.95360568590754, 0.08203997039011028}, {60, -0.001811101181006247, 49.73089088501047, 0.1641433544542176}, {120, -0.003030122371956212, 49.53776959180317, 0.09596448503928572}}},
      {"lasting", ImplicitRule::dissipative, 0.5, 120, 0.002, true, 1.570231441550753, -9.794377664300888e-05, -1.474263216183592e-13, {{10, -4.136625169048891e-05, 49.98993083267927, 0.04434677754229659}, {20, -0.0001656504796947456, 49.98438076456799, 0.04116047854278179}, {60, -0.0005789547044745547, 49.91636654213089, 0.1175200429826056}, {120, -0.001043682694330528, 49.87084759787708, 0.141220875842534}}},
    };
    for (const Reference& reference : references) {
      Setup setup{.rule = reference.rule, .step = reference.step, .spin = reference.spin};
      if (reference.lasting) {
        setup.shift = {0, -1.99, 0};
        setup.gravity = 9.81e-2;
      }
      const std::string name = std::string(reference.name) + (reference.rule == ImplicitRule::midpoint ? " midpoint " : reference.rule == ImplicitRule::modified ? " modified " : " dissipative ") + std::to_string(reference.step);
      std::size_t found = 0;
      double before = 0, initial = 0;
      const Run result = run(setup, std::lround(reference.end / reference.step), [&](const Scene& scene, const Step& step) {
        if (initial == 0)
          initial = scene.stepper->record(step.from, step.from).total();
        for (const Row& row : reference.rows)
          if (std::abs(row.time - step.to.time) < 1e-9) {
            const double tolerance = row.time < (reference.rule == ImplicitRule::dissipative ? 30.5 : 27.5) ? 1e-6 : 1e-4;
            const Body& ball = scene.system.body(0);
            const double height = ball.centreOfMass(scene.system.configurationSlice(0, step.to.q))[1];
            const double earlier = ball.centreOfMass(scene.system.configurationSlice(0, step.from.q))[1];
            test.check(std::abs(step.record.total() - initial - row.change) < tolerance, name) << "energy at " << row.time << ": " << step.record.total() - initial << ", expected " << row.change;
            test.check(std::abs(height - row.height) < tolerance, name) << "height at " << row.time << ": " << height << ", expected " << row.height;
            // v+ = 2 (x+ - x)/tau - v holds of the centre as well
            test.check(std::abs(2 * (height - earlier) / reference.step - before - row.speed) < tolerance, name) << "speed at " << row.time;
            ++found;
          }
        const Body& ball = scene.system.body(0);
        before = 2 * (ball.centreOfMass(scene.system.configurationSlice(0, step.to.q))[1] - ball.centreOfMass(scene.system.configurationSlice(0, step.from.q))[1]) / reference.step - before;
      });
      std::cout << name << ": dE " << result.change << " work " << result.work << " (" << reference.work << ") rise " << result.largestRise << " balance " << result.balance << " overlap " << result.overlap
                << " iterations " << result.contactIterations << " at most " << result.mostIterations << std::endl;
      test.check(found == reference.rows.size(), name) << "rows " << found;
      test.check(std::abs(result.initial - reference.initial) < 1e-9, name) << "initial energy " << result.initial;
      test.check(std::abs(result.work - reference.work) < 1e-6, name) << "work of the first impact " << result.work << ", expected " << reference.work;
      if (reference.rule == ImplicitRule::midpoint)
        test.check(std::abs(result.overlap + reference.smallestGap) < 1e-5, name) << "overlap " << result.overlap << ", expected " << -reference.smallestGap;
      checkBalance(test, name, setup, result);
    }
    return test;
  }

  //! The contact takes energy from a rolling ball if gaps hold at the end of the step, and gives some if at the middle
  TestSuite workOfTheFirstImpactHasItsSign()
  {
    TestSuite test("sign of the work");
    double modified = -std::numeric_limits<double>::infinity();
    for (double step : {1.0, 0.5, 0.25}) {
      const double work = run({.rule = ImplicitRule::modified, .step = step}, std::lround(30 / step)).work;
      test.check(work < 0 && work > modified, "modified") << "work " << work << " after " << modified << " at step " << step;
      modified = work;
      test.check(run({.rule = ImplicitRule::midpoint, .step = step}, std::lround(30 / step)).work > 0, "midpoint");
    }
    return test;
  }

  //! work = -lambda.c(x) + 1/2 lambda.c''[D, D] + rest
  TestSuite workSplitsIntoGapAndCurvature()
  {
    TestSuite test("split of the work");
    struct Case { const char* name; double spin; bool unrotated; double work, gap, curvature; };
    for (const Case& c : {Case{"rolling", 0.04, false, -0.000936037415075479, -0.000927361170417794, -8.379492176434283e-06},
                          Case{"sliding", 0.002, false, 0.000723219610075207, -0.00040084474424892375, 0.0011362632119819628},
                          Case{"sliding, unrotated", 0.002, true, 0.001569144242286758, -0.00014717780513584687, 0.001751445691910569},
                          Case{"rolling, unrotated", 0.04, true, -0.0010120264335295745, -0.0010053126689136326, -6.308963525876155e-06}}) {
      Setup setup{.rule = ImplicitRule::modified, .step = 0.5, .spin = c.spin};
      if (c.unrotated) {
        setup.shift = {40, -1.99, 0};
        setup.velocity = {2, -0.198, 0};
      }
      double work = 0, gap = 0, curvature = 0;
      run(setup, c.unrotated ? 13 : 60, [&](const Scene& scene, const Step& step) {
        const auto& mu = step.to.history[0].values;
        work += step.to.ledger.contactWork - step.from.ledger.contactWork;
        GapSet<2> gaps;
        scene.contacts[0].coupling->addGaps(0, step.from.q, 0, gaps);
        for (std::size_t p = 0; p < gaps.size(); ++p)
          gap -= mu[gaps[p].slot] * gaps[p].value;
        std::vector<MatrixBlock<2>> blocks;
        scene.contacts[0].coupling->addCurvature(0, step.to.q, mu, blocks);
        for (const auto& [row, column, value] : blocks)
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              curvature += 0.5 * (step.to.q[2 * row + a] - step.from.q[2 * row + a]) * value[a][b] * (step.to.q[2 * column + b] - step.from.q[2 * column + b]);
      });
      std::cout << c.name << ": " << work << " = " << gap << " + " << curvature << std::endl;
      test.check(std::abs(work - c.work) < 1e-6, c.name) << "work " << work << ", expected " << c.work;
      test.check(std::abs(gap - c.gap) < 1e-6, c.name) << "part of the gap " << gap << ", expected " << c.gap;
      test.check(std::abs(curvature - c.curvature) < 1e-6, c.name) << "part of the curvature " << curvature << ", expected " << c.curvature;
      test.check(std::abs(work - gap - curvature) < 0.05 * std::max(std::abs(gap), std::abs(curvature)), c.name) << "rest " << work - gap - curvature;
    }
    return test;
  }

  //! Momenta are exact where the theory says so, and the energies are those of the reference
  TestSuite freeDiscsKeepTheirMomenta()
  {
    TestSuite test("free discs");
    struct Case { const char* name; ImplicitRule rule; double step, spin, end, returned, change, angular; };
    for (const Case& c : {Case{"modified 1", ImplicitRule::modified, 1, 0, 22, 0, -0.0006353705654677452, 0.00700976320633373},
                          Case{"modified 0.5", ImplicitRule::modified, 0.5, 0, 22, 0, -0.0003781736454304685, 0.003525426004785004},
                          Case{"midpoint 1", ImplicitRule::midpoint, 1, 0, 22, 0, 0.0004905110199237422, 0},
                          Case{"midpoint 0.5", ImplicitRule::midpoint, 0.5, 0, 22, 0, 0.0005433980221496715, 0},
                          Case{"dissipative with spin", ImplicitRule::dissipative, 1, 0.02, 24, 0, -0.0026352609672158633, 0},
                          Case{"dissipative with spin, energy returned", ImplicitRule::dissipative, 1, 0.02, 24, 1, 0, 0}}) {
      Setup setup{.rule = c.rule, .step = c.step, .spin = c.spin, .velocity = {0, -0.3, 0}, .gravity = 0, .returned = c.returned, .sqp = {.tolerance = 1e-12}, .secondDisc = true};
      const Run result = run(setup, std::lround(c.end / c.step));
      std::cout << c.name << ": dE " << result.change << " dP " << result.momentum << " dL " << result.angular << " iterations " << result.contactIterations << std::endl;
      test.check(result.contactSteps >= 4, c.name) << "contact in " << result.contactSteps << " steps";
      test.check(std::abs(result.change - c.change) < (c.returned == 0 ? 1e-6 : 1e-9), c.name) << "energy changes by " << result.change << ", expected " << c.change;
      test.check(result.momentum < 1e-12, c.name) << "momentum changes by " << result.momentum;
      if (c.rule == ImplicitRule::modified)
        test.check(std::abs(result.angular - c.angular) < 1e-4, c.name) << "angular momentum changes by " << result.angular << ", expected " << c.angular;
      else
        test.check(result.angular < 1e-11 * 40, c.name) << "angular momentum changes by " << result.angular;
      checkBalance(test, c.name, setup, result);
    }
    return test;
  }

  TestSuite strongImpactsMatchReferences()
  {
    TestSuite test("strong impacts");
    struct Case { Vec3 velocity; double spin, step; long steps; double modified, dissipative; };
    for (const Case& c : {Case{{2, -2, 0}, 0.002, 1, 30, -0.046923694169617836, -0.09729666296052342}, Case{{2, -2, 0}, 0.002, 0.5, 40, -0.02273359983114487, -0.05058459938551296},
                          Case{{8, -4, 0}, 0.002, 0.5, 32, 0.6970326023879778, -0.19567457292806978}, Case{{2, -0.2, 0}, 0.04, 2, 30, -0.0028574291278844477, -0.016390309821926685},
                          Case{{2, -0.2, 0}, 0.002, 4, 15, 0.002424354666657802, -0.004239057008836422}})
      for (ImplicitRule rule : {ImplicitRule::modified, ImplicitRule::dissipative}) {
        Setup setup{.rule = rule, .step = c.step, .spin = c.spin, .velocity = c.velocity, .shift = {0, -1.9, 0}, .gravity = 0, .reach = 12};
        const Run result = run(setup, c.steps);
        const double expected = rule == ImplicitRule::modified ? c.modified : c.dissipative;
        std::cout << "v = " << c.velocity << (rule == ImplicitRule::modified ? " modified" : " dissipative") << ": dE " << result.change << " iterations " << result.contactIterations << std::endl;
        test.check(std::abs(result.change - expected) < 1e-6 * std::max(1.0, result.initial), "strong impact") << "energy changes by " << result.change << ", expected " << expected;
        checkBalance(test, "strong impact", setup, result);
      }
    return test;
  }

  //! Mean loss over five phases of the impact within a step
  TestSuite meanLossMatchesReferences()
  {
    TestSuite test("mean loss");
    struct Case { double spin, step, mean; };
    for (const Case& c : {Case{0.04, 1, -0.002012887033897902}, Case{0.04, 0.5, -0.0006886335600591461}, Case{0.002, 1, -0.0008963070288097343}, Case{0.002, 0.5, -0.00029836991418147915}}) {
      double mean = 0;
      for (double phase : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        const Setup setup{.step = c.step, .spin = c.spin, .velocity = {2, -0.198, 0}, .shift = {0, -2 + 0.02 + 0.198 * c.step * phase, 0}, .gravity = 0};
        bool over = false, touched = false;
        run(setup, std::lround(9 / c.step), [&](const Scene&, const Step& step) {
          over = over || (touched && step.report.contacts == 0 && step.to.time - c.step > 6);
          touched = touched || step.report.contacts > 0;
          if (!over)
            mean += (step.to.ledger.contactWork - step.from.ledger.contactWork) / 5;
        });
      }
      std::cout << "spin " << c.spin << " step " << c.step << ": mean " << mean << std::endl;
      test.check(std::abs(mean - c.mean) < 1e-7, "mean loss") << mean << ", expected " << c.mean;
    }
    return test;
  }

  //! Distance to the closest point, in 8 points of each edge
  TestSuite closestPointMatchesReference()
  {
    TestSuite test("closest point");
    const Row rows[] = {{20, 0.0025804052246725107, 50.03799999999576, 0}, {22, -0.0015836901890962096, 49.69805238171873, 0}, {24, -0.005419471985025126, 49.68856028198879, 0},
                        {26, -0.00367011933385486, 50.02704141197292, 0}, {27, -0.0038877964211354588, 50.21259374447365, 0}};
    double initial = 0;
    const Setup setup{.rule = ImplicitRule::modified, .wholeEdges = true};
    const Run result = run(setup, 27, [&](const Scene& scene, const Step& step) {
      if (initial == 0)
        initial = scene.stepper->record(step.from, step.from).total();
      for (const Row& row : rows)
        if (std::abs(row.time - step.to.time) < 1e-9) {
          test.check(std::abs(step.record.total() - initial - row.change) < 1e-6, "energy") << "at " << row.time << ": " << step.record.total() - initial << ", expected " << row.change;
          test.check(std::abs(scene.system.body(0).centreOfMass(scene.system.configurationSlice(0, step.to.q))[1] - row.height) < 1e-6, "height") << "at " << row.time;
        }
    });
    test.check(std::abs(result.work + 0.004925702914289261) < 1e-6, "work") << result.work;
    checkBalance(test, "closest point", setup, result);
    return test;
  }

  //! Contact that lasts, a start with overlap, a ball put down
  TestSuite lastingContactsMatchReferences()
  {
    TestSuite test("lasting contacts");
    struct Case { const char* name; double step, spin, speed, shift, returned, end, change, overlap, impulse; };
    for (const Case& c : {Case{"sliding 1", 1, 0.002, 2, -1.99, 0, 60, -0.0018111011810062472, 0, 4.745347717540288},
                          Case{"sliding 0.5", 0.5, 0.002, 2, -1.99, 0, 60, -0.0005789547044745547, 0, 4.708732755652238},
                          Case{"overlap at the start", 1, 0.002, 2, -2.05, 0, 30, -0.0005783899456370811, 0.05046409247065579, 2.322400909046728},
                          Case{"put down", 1, 0, 0, -1.99, 0, 30, -0.00017908768670518369, 0, 2.434576879574693},
                          Case{"sliding 1, energy returned", 1, 0.002, 2, -1.99, 1, 60, 0, 0, 0},
                          Case{"sliding 0.5, energy returned", 0.5, 0.002, 2, -1.99, 1, 60, 0, 0, 0}}) {
      const Setup setup{.step = c.step, .spin = c.spin, .velocity = {c.speed, 0, 0}, .shift = {0, c.shift, 0}, .gravity = 9.81e-2, .returned = c.returned};
      double impulse = 0;
      const Run result = run(setup, std::lround(c.end / c.step), [&](const Scene& scene, const Step& step) {
        GapSet<2> gaps; // of the pressures, as in the reference
        scene.contacts[0].coupling->addGaps(0, step.to.q, 0, gaps);
        for (std::size_t p = 0; p < gaps.size(); ++p)
          impulse += c.step * step.to.history[0].values[gaps[p].slot] * gaps[p].weight;
      });
      std::cout << c.name << ": dE " << result.change << " overlap " << result.overlap << " impulse " << impulse << " iterations " << result.contactIterations << std::endl;
      test.check(std::abs(result.change - c.change) < (c.returned > 0 ? 1e-9 : 1e-6), c.name) << "energy changes by " << result.change << ", expected " << c.change;
      test.check(std::abs(result.overlap - c.overlap) < 1e-6, c.name) << "overlap " << result.overlap << ", expected " << c.overlap;
      if (c.impulse > 0)
        test.check(std::abs(impulse - c.impulse) < 1e-5, c.name) << "impulse " << impulse << ", expected " << c.impulse;
      test.check(result.balance <= 1e-12 * std::max(result.initial, 1.0) && (c.returned > 0 || result.largestRise <= 1e-12), c.name) << "balance " << result.balance << " rise " << result.largestRise;
    }
    return test;
  }

  //! The first quadratic problem of a step, in the coordinates in which gaps are bounds
  TestSuite boundsMatchReference()
  {
    TestSuite test("quadratic problem with bounds");
    Scene scene({.rule = ImplicitRule::modified, .spin = 0, .velocity = {2, -0.2, 0}, .shift = {0, -2.15, 0}, .gravity = 0});
    StepReport report;
    const State state = scene.stepper->start(scene.system.initialState(), report);
    ImplicitModel<2> model(scene.system, scene.contacts);
    ImplicitProblem<2> problem(model, ImplicitRule::modified, state, 1, 1);
    NodeVector<2> z(state.q.size() / 2), g(z.size()), lower(z.size()), upper(z.size()), w(z.size()), residual(z.size()), d(z.size());
    z = 0;
    problem.residual(z, g);
    Constraints<2> constraints; // the reference makes bounds with nodal normals
    GapSet<2> gaps;
    scene.contacts[0].coupling->addGaps(1, state.q, 0, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      constraints.add({gaps[p].slot, gaps[p].node, gaps[p].value, gaps[p].weight, gaps[p].weight, gaps[p].normal}, gaps.derivative(p), gaps.derivative(p), gaps.mortar(p));
    ContactTransform<2> transform;
    transform.setup(constraints, model.fixed);
    BlockMatrix<2> A;
    const BlockMatrix<2>& H = problem.matrix(z);
    transform.transform(H, {}, A);
    transform.applyTransposed(g);
    g *= -1.0;
    lower = -1e3; // the solution is far inside
    upper = 1e3;
    for (std::size_t i = 0; i < z.size(); ++i)
      for (int c = 0; c < 2; ++c)
        if (model.fixed[i] >> c & 1)
          lower[i][c] = upper[i][c] = 0;
    for (std::size_t p = 0; p < constraints.size(); ++p)
      upper[constraints[p].node][0] = constraints[p].value / transform.weight(p);
    w = 0;
    BoxMultigrid<2> solver({.tolerance = 1e-13});
    const SolveReport solved = solver.solve({A, g, lower, upper}, w);
    A.residual(w, g, residual);
    const double objective = -0.5 * (dot(g, w) + dot(residual, w));
    test.check(solved.converged || solved.residual < 1e-12, "solved") << solved.residual;
    test.check(std::abs(objective + 3.158149573595769) < 1e-9 * 3.16, "objective") << objective;
    struct Node { std::size_t number; double c, D, lambda, w; }; // numbers of the mesh file, from one
    for (const Node& node : {Node{2, -0.7365640753649426, 4.906767429231262, 0.007795463696108001, -0.15011187833704587}, Node{6, 0.44212132195052134, 4.906767449543738, 0.004101065441263381, 0.09010439693685353},
                             Node{7, 4.035525299818281, 4.906767449055799, 0, 0.4181842170763282}, Node{64, 4.03552522043751, 4.906767413609877, 0, -0.31383297231750873},
                             Node{65, 0.4421213274135015, 4.906767415620117, 0, -0.2089137130298294}}) {
      const long p = transform.constraintOf(node.number - 1);
      test.require(p >= 0, "node has a constraint") << node.number;
      const double lambda = w[node.number - 1][0] >= upper[node.number - 1][0] ? residual[node.number - 1][0] / transform.weight(p) : 0;
      test.check(std::abs(constraints[p].value - node.c) < 1e-9 && std::abs(constraints[p].weight - node.D) < 1e-9, "gap and weight") << constraints[p].value << " " << constraints[p].weight;
      test.check(std::abs(lambda - node.lambda) < 1e-9 * 0.0078, "multiplier") << lambda << ", expected " << node.lambda;
      test.check(std::abs(w[node.number - 1][0] - node.w) < 1e-9, "normal component") << w[node.number - 1][0] << ", expected " << node.w;
    }
    transform.apply(w, d);
    test.check(std::abs(d.infinity_norm() - 2.0123058848937316) < 1e-9, "step") << d.infinity_norm();
    return test;
  }

  TestSuite energyIsReturned()
  {
    TestSuite test("returned energy");
    const Setup setup{.step = 0.5, .shift = {0, -1.99, 0}, .returned = 1};
    const Run result = run(setup, 60);
    std::cout << "returned: dE " << result.change << " iterations " << result.contactIterations << std::endl;
    test.check(result.contactSteps > 5 && std::abs(result.change) < 1e-10 * result.initial, "rolling ball") << "energy changes by " << result.change;
    checkBalance(test, "returned energy", setup, result);
    return test;
  }

  //! To 1e-10 of the largest nodal contact force
  TestSuite iterationsAreFew()
  {
    TestSuite test("iterations");
    for (double spin : {0.04, 0.002}) {
      const Run exact = run({.rule = ImplicitRule::modified, .spin = spin, .sqp = {.exactJacobian = true, .curvature = true}}, 28);
      test.check(exact.contactSteps >= 5 && exact.contactIterations <= 5, "exact") << exact.contactIterations;
      std::cout << "spin " << spin << ": exact " << exact.contactIterations;
      for (ImplicitRule rule : {ImplicitRule::modified, ImplicitRule::dissipative}) {
        const Run decoupled = run({.rule = rule, .spin = spin}, 28);
        test.check(decoupled.contactSteps >= 5 && decoupled.contactIterations <= 12, "decoupled") << decoupled.contactIterations;
        std::cout << " decoupled " << decoupled.contactIterations;
      }
      std::cout << std::endl;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(ballOnBlockMatchesReferences());
  test.subTest(workOfTheFirstImpactHasItsSign());
  test.subTest(workSplitsIntoGapAndCurvature());
  test.subTest(freeDiscsKeepTheirMomenta());
  test.subTest(strongImpactsMatchReferences());
  test.subTest(meanLossMatchesReferences());
  test.subTest(closestPointMatchesReference());
  test.subTest(lastingContactsMatchReferences());
  test.subTest(boundsMatchReference());
  test.subTest(energyIsReturned());
  test.subTest(iterationsAreFew());
  return test.exit();
}
