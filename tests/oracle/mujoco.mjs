// SPDX-License-Identifier: MIT
// mujoco.mjs - what MuJoCo makes of MJCF files.   node mujoco.mjs PACKAGE REQUESTS.json ANSWERS.json
//   given   the folder of the package @mujoco/mujoco; a list of {file, states: [{qpos, qvel}], seconds, step}
//   makes   of each file its bodies and joints; of each state poses and velocities of all bodies; where they are `seconds`
//           later, from the first state, without contacts, limits, dry friction, equalities and motors: by steps of
//           `step`, and of half of it
//   bound   3 seconds / step steps a file
//   never   needs a screen
import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [packageFolder, requests, answers] = process.argv.slice(2);
const mujoco = await (await import(pathToFileURL(join(resolve(packageFolder), 'mujoco.js')).href)).default({
    print: () => {}, printErr: () => {},
});
const OFF = ['CONTACT', 'LIMIT', 'FRICTIONLOSS', 'EQUALITY', 'ACTUATION'];
const IMPLICIT = 2; // of first order, and stable where RK4 is not

// MuJoCo's files are in memory: the folder of a file, with all that is below it.
function bring(folder) {
    mujoco.FS.mkdirTree(folder, 0o777);
    for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) bring(path);
        else if (/\.(xml|stl|obj|msh|png|hf|txt)$/i.test(name)) mujoco.FS.writeFile(path, readFileSync(path));
    }
}

const off = flag => mujoco.mjtDisableBit['mjDSBL_' + flag].value;
const list = array => Array.from(array);
const name = (model, type, i) => mujoco.mj_id2name(model, mujoco.mjtObj[type].value, i) || '';

function about(model) {
    return {
        nq: model.nq, nv: model.nv, timestep: model.opt.timestep, gravity: list(model.opt.gravity).map(x => (model.opt.disableflags & off('GRAVITY') ? 0 : x)),
        bodies: [...Array(model.nbody).keys()].map(i => name(model, 'mjOBJ_BODY', i)),
        joints: [...Array(model.njnt).keys()].map(i => name(model, 'mjOBJ_JOINT', i)),
        parent: list(model.body_parentid), mass: list(model.body_mass), ipos: list(model.body_ipos),
        iquat: list(model.body_iquat), inertia: list(model.body_inertia), type: list(model.jnt_type),
        qpos0: list(model.qpos0), range: list(model.jnt_range),
        stiffness: list(model.jnt_stiffness), damping: list(model.dof_damping), armature: list(model.dof_armature),
        friction: list(model.dof_frictionloss), spring: list(model.qpos_spring),
    };
}

function set(data, state) {
    data.qpos.set(state.qpos);
    data.qvel.set(state.qvel);
}

function motion(model, data) {
    const one = new mujoco.DoubleBuffer(6), velocity = [];
    mujoco.mj_forward(model, data);
    for (let i = 0; i < model.nbody; i++) {
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY.value, i, one, 0);
        velocity.push(list(one.GetView()));
    }
    one.delete();
    return {xpos: list(data.xpos), xquat: list(data.xquat), xipos: list(data.xipos), velocity};
}

function end(model, data, request, step) {
    model.opt.timestep = step;
    mujoco.mj_resetData(model, data);
    set(data, request.states[0]);
    for (let i = 0; i < Math.round(request.seconds / step); i++) mujoco.mj_step(model, data);
    return motion(model, data);
}

function answer(request) {
    bring(dirname(request.file));
    const model = mujoco.MjModel.from_xml_path(request.file);
    const data = new mujoco.MjData(model), made = about(model);
    for (const flag of OFF) model.opt.disableflags |= off(flag);
    if (request.states) made.states = request.states.map(state => (set(data, state), motion(model, data)));
    if (request.seconds) {
        model.opt.integrator = IMPLICIT;
        made.end = [request.step, request.step / 2].map(step => end(model, data, request, step));
    }
    data.delete();
    model.delete();
    return made;
}

writeFileSync(answers, JSON.stringify(JSON.parse(readFileSync(requests)).map(request => {
    try {
        return answer(request);
    } catch (error) {
        return {error: String(error.message || error)};
    }
})));
