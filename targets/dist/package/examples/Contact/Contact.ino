// SPDX-License-Identifier: @licence@
// Contact.ino - a ball slides on the ground until it rolls. After 40 steps the hash of its state is the same on every
// machine: 87932fd953a9fe9d in float. An ATmega2560 has room for this model; see tactus_config.h.
#include <tactus.h>

static tac_model model; // what the world is
static tac_state state; // what it does now: a copy is a snapshot
static tac_work work;   // scratch and results

static tac_vec3 vec(float x, float y, float z)
{
    tac_vec3 v = {(tac_real)x, (tac_real)y, (tac_real)z};
    return v;
}

static bool build()
{
    const tac_real inertia = (tac_real)0.4; // of a ball of 1 m and 1 kg
    tac_body ball = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    ball.mass = 1;
    ball.inertia = vec(inertia, inertia, inertia);
    ball.velocity.v = vec(2, 0, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape sphere = tac_shape_make(1, TAC_SPHERE, vec(1, 0, 0));
    tac_model_init(&model);
    model.options.solver = TAC_SOLVER_ACCELERATED; // as the golden scene has it
    model.h = (tac_real)0.001;
    tac_model_add_material(&model, (tac_real)0.2, 0); // friction, restitution
    tac_model_add_body(&model, &ball);
    tac_model_add_shape(&model, &ground);
    tac_model_add_shape(&model, &sphere);
    return tac_model_seal(&model, NULL) == TAC_OK && tac_state_init(&model, &state, NULL) == TAC_OK;
}

static void print_hash(uint64_t hash)
{
    for (int bit = 60; bit >= 0; bit -= 4) { Serial.print((int)(hash >> bit & 15), HEX); }
    Serial.println();
}

void setup()
{
    Serial.begin(115200);
    if (tac_self_test() != 0 || !build()) { Serial.println(F("this build cannot step")); }
    for (int k = 0; k < 40; k++) { tac_step(&model, &state, NULL, &work); }
    print_hash(tac_state_hash(&model, &state));
}

void loop()
{
}
