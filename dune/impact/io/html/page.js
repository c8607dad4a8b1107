// Plots, tables and the motion of a run; the data is in the element `data`.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = id => document.getElementById(id);
  const digits = x => x === null || x === undefined ? "–" : typeof x !== "number" ? String(x) : Number.isInteger(x) && Math.abs(x) < 1e9 ? String(x) : x.toPrecision(6).replace(/\.?0+(e|$)/, "$1");
  const create = (parent, tag, text) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    parent.appendChild(made);
    return made;
  };

  // ---- plots ---------------------------------------------------------------------------------
  const palette = ["#0b6aa2", "#d1571b", "#2b8a4b", "#8b4fb3", "#b8860b", "#c2347a", "#4d5d6c"];
  const history = data.history;
  const known = ["step", "time", "kinetic", "elastic", "potential", "contact_energy", "total", "px", "py", "pz", "lx", "ly", "lz", "min_gap", "contacts",
    "impulse_x", "impulse_y", "impulse_z", "dissipated", "external_work", "iterations", "contact_work", "friction_work", "bulk_work", "energy_error", "force_x", "force_y", "force_z"];

  function addPlot(title, names) {
    // curves that are zero throughout say nothing, but one must remain
    const present = names.filter(name => name in history && history[name].some(x => x !== null));
    const shown = present.filter(name => history[name].some(x => x));
    const curves = shown.length ? shown : present.slice(0, 1);
    if (!curves.length || history.time.length < 2) return;
    const box = create(element("plots"), "div");
    box.className = "plot";
    create(box, "h3", title);
    const graph = create(box, "div"), values = create(box, "div"), boxes = create(box, "div");
    graph.className = "graph";
    values.className = "values";
    boxes.className = "curves";
    const rows = history.time.map((t, i) => [t].concat(curves.map(name => history[name][i])));
    const plot = new Dygraph(graph, rows, {
      labels: ["time"].concat(curves), labelsDiv: values, legend: "onmouseover", colors: palette, strokeWidth: 1.5,
      connectSeparatedPoints: false, axisLabelFontSize: 12, xlabel: "time", xLabelHeight: 16, digitsAfterDecimal: 6,
      axes: { y: { axisLabelWidth: 72, axisLabelFormatter: y => digits(Number(y.toPrecision(5))), valueFormatter: digits }, x: { axisLabelFormatter: x => digits(Number(x.toPrecision(5))), valueFormatter: x => "t = " + digits(x) } },
    });
    curves.forEach((name, i) => {
      const label = create(boxes, "label"), check = create(label, "input");
      check.type = "checkbox";
      check.checked = true;
      check.addEventListener("change", () => plot.setVisibility(i, check.checked));
      const swatch = create(label, "span");
      swatch.className = "swatch";
      swatch.style.background = palette[i % palette.length];
      label.appendChild(document.createTextNode(name));
    });
  }

  addPlot("Energy", ["total", "kinetic", "elastic", "potential", "contact_energy", "dissipated", "external_work"]);
  addPlot("Energy error: (total + dissipated − external work − initial) / largest kinetic + elastic", ["energy_error"]);
  addPlot("Work of contact, of friction and in the bulk, accumulated", ["contact_work", "friction_work", "bulk_work"]);
  addPlot("Linear momentum", ["px", "py", "pz"]);
  addPlot("Angular momentum", ["lx", "ly", "lz"]);
  addPlot("Smallest gap", ["min_gap"]);
  addPlot("Contact force on the first sides", ["force_x", "force_y", "force_z"]);
  addPlot("Contacts and iterations", ["contacts", "iterations"]);
  // columns of contacts and probes, by what they show and by their names
  const groups = {};
  const kinds = [[/\.force_[xyz]$/, "force on the first side"], [/\.gap$/, "smallest gap"], [/\.area$/, "area of the contact zone"], [/\.pressure$/, "largest pressure"],
    [/\.(sticking|sliding)$/, "points that stick and slide"], [/\.friction_work$/, "work of friction"]];
  Object.keys(history).filter(name => !known.includes(name)).forEach(name => {
    const kind = kinds.find(([end]) => end.test(name)), owner = name.replace(/\.[^.]*$/, "");
    const title = kind ? `Contact ${owner}: ${kind[1]}` : "Probe " + owner;
    (groups[title] = groups[title] || []).push(name);
  });
  Object.keys(groups).forEach(title => addPlot(title, groups[title]));

  // ---- summary -------------------------------------------------------------------------------
  const summary = data.summary;
  const addRow = (table, name, value) => {
    const row = create(table, "tr");
    create(row, "th", name);
    create(row, "td", value);
  };
  const addRows = (prefix, values) => Object.keys(values).forEach(name => {
    const value = values[name];
    if (value !== null && typeof value === "object") {
      if (!Array.isArray(value)) addRows(prefix + name + ".", value);
    }
    else if (value !== "") addRow(element("summary"), prefix + name, digits(value));
  });
  addRows("", summary);
  (summary.overlaps || []).forEach(o => addRow(element("summary"), "deep overlap: " + o.pair, `${digits(o.depth)} at t = ${digits(o.time)}, ${o.first} in ${o.second}`));
  const events = summary.contact_events || [];
  if (events.length) {
    const head = create(element("events"), "tr");
    ["contact", "begin", "end"].forEach(name => create(head, "th", name));
    events.slice(0, 200).forEach(event => {
      const row = create(element("events"), "tr");
      [event.pair, event.begin, event.end].forEach(value => create(row, "td", digits(value)));
    });
    if (events.length > 200) create(create(element("events"), "tr"), "td", "and " + (events.length - 200) + " more");
  }
  element("verdict").textContent = `${summary.method}, ${summary.steps} steps to t = ${digits(summary.time)}${summary.units ? " (" + summary.units + ")" : ""}; `
    + `energy error ${digits(summary.energy_error_max)}, energy lost ${digits(summary.energy_lost)}, smallest gap ${digits(summary.min_gap)}; ${summary.stop_reason}`;

  // ---- motion --------------------------------------------------------------------------------
  const film = data.film;
  if (!film || !film.times.length) return;
  element("motion").hidden = false;

  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const positions = new Uint16Array(bytes(film.positions).buffer), values = bytes(film.values);
  const flat = film.dimension < 3;
  const size = Math.max(1e-300, Math.hypot(...film.high.map((x, c) => x - film.low[c])));
  const middle = new THREE.Vector3(...film.high.map((x, c) => 0.5 * (x + film.low[c])));
  const unit = 1 / size; // the scene has the size one, whatever the units are

  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ canvas: element("canvas"), antialias: true, preserveDrawingBuffer: true });
  }
  catch (error) {
    create(element("motion"), "p", "This browser cannot draw in three dimensions (WebGL): " + error.message);
    return;
  }
  renderer.setClearColor(0xf4f6f8);
  const scene = new THREE.Scene();
  scene.add(new THREE.AmbientLight(0xffffff, 0.62));
  const light = new THREE.DirectionalLight(0xffffff, 0.55);
  scene.add(light);
  const camera = flat ? new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 10) : new THREE.PerspectiveCamera(35, 1, 0.01, 50);
  const controls = new THREE.OrbitControls(camera, element("canvas"));
  controls.enableRotate = !flat;
  if (flat) controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };

  function resetView() {
    controls.target.set(0, 0, 0);
    if (flat) {
      camera.position.set(0, 0, 5);
      camera.zoom = 1;
    }
    else {
      camera.up.set(0, 0, 1);
      camera.position.set(0.45, -1.35, 0.45);
    }
    resize();
    controls.update();
    draw();
  }

  function resize() {
    const stage = element("stage"), width = stage.clientWidth, height = stage.clientHeight, aspect = width / height;
    renderer.setPixelRatio(window.devicePixelRatio || 1);
    renderer.setSize(width, height, false);
    if (flat) {
      const extent = film.high.map((x, c) => (x - film.low[c]) * unit);
      const half = 0.55 * Math.max(extent[1], extent[0] / aspect, 0.05);
      Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    }
    else camera.aspect = aspect;
    camera.updateProjectionMatrix();
  }

  // Colours from blue over white-yellow to red
  const stops = [[0.25, 0.42, 0.78], [0.36, 0.69, 0.82], [0.93, 0.93, 0.75], [0.95, 0.6, 0.26], [0.72, 0.07, 0.12]];
  function colourOf(x) {
    const at = Math.min(0.9999, Math.max(0, x)) * (stops.length - 1), i = Math.floor(at), f = at - i;
    return stops[i].map((c, k) => c + f * (stops[i + 1][k] - c));
  }
  element("bar").style.background = "linear-gradient(90deg," + stops.map(c => `rgb(${c.map(x => Math.round(255 * x)).join(",")})`).join(",") + ")";

  // Parts: their objects share a buffer of positions; a frame begins with the numbers of the first part
  let pointsPerFrame = 0, valuesPerFrame = 0;
  const bodyColours = [0x5b8db8, 0xd9a15b, 0x7fae7a, 0xa98cc0, 0xc97f7f, 0x8fa3a8];
  let bodies = 0;
  const parts = film.parts.map(info => {
    const part = { info, firstPoint: pointsPerFrame, firstValue: valuesPerFrame, visible: true, objects: [] };
    pointsPerFrame += info.points;
    valuesPerFrame += info.points * info.fields.length;
    part.base = new THREE.Color(info.kind === "body" ? bodyColours[bodies++ % bodyColours.length] : info.kind === "contact" ? 0x333333 : 0x9aa4ad);
    const position = new THREE.BufferAttribute(new Float32Array(3 * info.points), 3);
    part.position = position;
    part.colour = new THREE.BufferAttribute(new Float32Array(3 * info.points), 3);
    const geometry = text => {
      const index = new Uint32Array(bytes(text).buffer);
      if (!index.length) return null;
      const made = new THREE.BufferGeometry();
      made.setIndex(new THREE.BufferAttribute(index, 1));
      made.setAttribute("position", position);
      made.setAttribute("color", part.colour);
      return made;
    };
    const triangles = geometry(info.triangles), lines = geometry(info.lines);
    if (triangles) {
      const obstacle = info.kind === "obstacle";
      const shading = flat ? {} : { flatShading: true, shininess: 5, specular: 0x111111 };
      const material = new (flat ? THREE.MeshBasicMaterial : THREE.MeshPhongMaterial)({ ...shading, vertexColors: THREE.VertexColors, side: THREE.DoubleSide, transparent: obstacle, opacity: obstacle ? 0.35 : 1,
        polygonOffset: true, polygonOffsetFactor: info.kind === "contact" ? 0 : 1, polygonOffsetUnits: 1 });
      const object = new THREE.Mesh(triangles, material);
      part.objects.push(object);
      if (!obstacle) part.objects.push(new THREE.LineSegments(edgesOf(triangles, position), new THREE.LineBasicMaterial({ color: 0x26323e, transparent: true, opacity: 0.22 })));
    }
    if (lines) part.objects.push(new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ vertexColors: THREE.VertexColors, linewidth: 2 })));
    part.vertices = new Uint32Array(bytes(info.vertices).buffer);
    part.balls = Array.from(part.vertices, (vertex, i) => {
      const radius = (info.radius[i] || 0) * unit || 0.012;
      const ball = new THREE.Mesh(new THREE.SphereBufferGeometry(radius, 24, 16), new THREE.MeshLambertMaterial({ color: part.base }));
      part.objects.push(ball);
      return ball;
    });
    part.objects.forEach(object => {
      object.frustumCulled = false;
      scene.add(object);
    });
    return part;
  });

  function edgesOf(triangles, position) {
    const seen = new Set(), index = triangles.index.array, pairs = [];
    for (let i = 0; i < index.length; i += 3)
      for (let k = 0; k < 3; ++k) {
        const a = index[i + k], b = index[i + (k + 1) % 3], key = a < b ? a * 4294967296 + b : b * 4294967296 + a;
        if (!seen.has(key)) {
          seen.add(key);
          pairs.push(a, b);
        }
      }
    const made = new THREE.BufferGeometry();
    made.setIndex(new THREE.BufferAttribute(new Uint32Array(pairs), 1));
    made.setAttribute("position", position);
    return made;
  }

  // Choice of colours: the fields of all parts
  const fields = [...new Set(film.parts.flatMap(part => part.fields))];
  ["bodies", ...fields].forEach(name => { create(element("colour"), "option", name.replace("_", " ")).value = name; });
  element("colour").value = fields.includes("von_mises") ? "von_mises" : "bodies";

  film.parts.forEach((info, k) => {
    const label = create(element("parts"), "label"), check = create(label, "input");
    check.type = "checkbox";
    check.checked = true;
    check.addEventListener("change", () => {
      parts[k].visible = check.checked;
      show(frame);
    });
    label.appendChild(document.createTextNode(" " + info.name));
  });

  let frame = 0;
  function show(n) {
    frame = n;
    const field = element("colour").value, range = film.ranges[field];
    parts.forEach(part => {
      const { info, position, colour } = part;
      const p = position.array, c = colour.array, at = 3 * (n * pointsPerFrame + part.firstPoint);
      for (let i = 0; i < 3 * info.points; ++i) {
        const k = i % 3;
        p[i] = (film.low[k] + (film.high[k] - film.low[k]) * positions[at + i] / 65535 - middle.getComponent(k)) * unit;
      }
      const f = info.fields.indexOf(field);
      // a contact surface lies on a body: it is shown for its own fields only
      const shown = part.visible && (info.kind !== "contact" || (f >= 0 && field !== "displacement" && field !== "velocity"));
      for (let i = 0; i < info.points; ++i) {
        const rgb = f >= 0 ? colourOf(values[n * valuesPerFrame + part.firstValue + f * info.points + i] / 255) : [part.base.r, part.base.g, part.base.b];
        c[3 * i] = rgb[0];
        c[3 * i + 1] = rgb[1];
        c[3 * i + 2] = rgb[2];
      }
      position.needsUpdate = colour.needsUpdate = true;
      part.balls.forEach((ball, i) => {
        const v = part.vertices[i];
        ball.position.set(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
        ball.material.color.setRGB(c[3 * v], c[3 * v + 1], c[3 * v + 2]);
      });
      part.objects.forEach(object => { object.visible = shown; });
    });
    element("legend").hidden = !range;
    if (range) {
      element("least").textContent = digits(Number(range[0].toPrecision(3)));
      element("largest").textContent = digits(Number(range[1].toPrecision(3)));
    }
    element("slider").value = n;
    element("time").textContent = `t = ${digits(film.times[n])}  step ${film.steps[n]}`;
    draw();
  }

  function draw() {
    light.position.copy(camera.position).add(new THREE.Vector3(0.3, 0.2, 0.8));
    renderer.render(scene, camera);
  }

  let playing = false, began = 0, from = 0;
  const seconds = 8; // of a whole run at speed one
  function tick(now) {
    if (!playing) return;
    const done = from + (now - began) / 1000 / seconds * Number(element("speed").value) * film.times.length;
    if (done >= film.times.length) {
      setPlaying(false);
      show(film.times.length - 1);
      return;
    }
    if (Math.floor(done) !== frame) show(Math.floor(done));
    requestAnimationFrame(tick);
  }
  function setPlaying(on) {
    playing = on;
    element("play").textContent = on ? "Pause" : "Play";
    if (on) {
      from = frame >= film.times.length - 1 ? 0 : frame;
      began = performance.now();
      requestAnimationFrame(tick);
    }
  }
  element("slider").max = film.times.length - 1;
  element("slider").addEventListener("input", () => {
    setPlaying(false);
    show(Number(element("slider").value));
  });
  element("play").addEventListener("click", () => setPlaying(!playing));
  element("speed").addEventListener("change", () => { if (playing) setPlaying(true); });
  element("colour").addEventListener("change", () => show(frame));
  element("reset").addEventListener("click", resetView);
  controls.addEventListener("change", draw);
  window.addEventListener("resize", () => {
    resize();
    draw();
  });
  resetView();
  show(0);
})();
