// SPDX-License-Identifier: MIT
// config: robots
// Plans: commands between knots against Hermite's basis in double; the plan of a later state commands what the plan
// would have; noise with the moments of a Gaussian, the same numbers everywhere; what is refused changes nothing.
#include "tap.h"
#include "truth.h"
#include "wild.h"

enum { KNOTS = 6, CHANNELS = 3, NUMBERS = KNOTS * CHANNELS };

static tac_real value[NUMBERS], other[NUMBERS];
static tac_channel channel[CHANNELS];
static tac_plan plan, noisy;
static tac_input input;

static void begin(uint64_t seed, uint8_t form)
{
    rng r = {seed};
    static const uint8_t KINDS[CHANNELS] = {TAC_MOTOR_EFFORT, TAC_MOTOR_PD, TAC_MOTOR_VELOCITY};
    for (int i = 0; i < NUMBERS; i++) { value[i] = (tac_real)rng_range(&r, -1, 1); }
    for (uint16_t i = 0; i < CHANNELS; i++) {
        channel[i] = (tac_channel){.low = -2, .high = 2, .sigma = 1, .joint = (uint16_t)(2 * i), .kind = KINDS[i]};
        channel[i].stiffness = 40, channel[i].damping = 3;
    }
    plan = (tac_plan){channel, value, (tac_real)rng_range(&r, -0.3, 0.3), (tac_real)0.1, KNOTS, CHANNELS, form};
}

static tac_real command(int i)
{
    const tac_motor *motor = &input.motor[i];
    return motor->kind == TAC_MOTOR_EFFORT ? motor->effort
           : motor->kind == TAC_MOTOR_PD   ? motor->position
                                           : motor->velocity;
}

static double knot(int row, int i)
{
    row = row < 0 ? 0 : row >= KNOTS ? KNOTS - 1 : row;
    return (double)value[row * CHANNELS + i];
}

static double slope(double to, double from)
{
    return to * from > 0 ? 2 / (1 / to + 1 / from) : 0;
}

// Hermite's basis, with harmonic means for slopes.
static double truth(double t, int i)
{
    double s = (t - (double)plan.start) / (double)plan.spacing;
    s = s < 0 ? 0 : s > KNOTS - 1 ? KNOTS - 1 : s;
    int row = (int)s;
    const double u = s - row, a = knot(row, i), b = knot(row + 1, i);
    if (plan.form == TAC_TABLE_HOLD) { return a; }
    if (plan.form == TAC_TABLE_LINEAR) { return (1 - u) * a + u * b; }
    const double from = slope(a - knot(row - 1, i), b - a), to = slope(b - a, knot(row + 2, i) - b);
    return (1 + 2 * u) * (1 - u) * (1 - u) * a + u * (1 - u) * (1 - u) * from + u * u * (3 - 2 * u) * b +
           u * u * (u - 1) * to;
}

static void test_commands(void)
{
    static const char *const NAMES[] = {"held", "linear", "cubic"};
    for (uint8_t form = 0; form < TAC_TABLE_FORMS; form++) {
        double worst = 0, knots = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            begin(seed, form);
            rng r = {seed};
            for (int k = 0; k < 50; k++) {
                // between knots: where a held command jumps, rounding decides
                const double s = (double)rng_below(&r, KNOTS + 4) - 2 + rng_range(&r, 0.01, 0.99);
                const double t = (double)plan.start + s * (double)plan.spacing;
                tac_plan_evaluate(&plan, (tac_real)t, 0, &input);
                for (int i = 0; i < CHANNELS; i++) { worst = d_max(worst, d_abs((double)command(i) - truth(t, i))); }
            }
            for (int row = 0; row < KNOTS; row++) {
                tac_plan_evaluate(&plan, plan.start + (tac_real)row * plan.spacing, 0, &input);
                for (int i = 0; i < CHANNELS; i++) { knots = d_max(knots, d_abs((double)command(i) - knot(row, i))); }
            }
        }
        tap_most(worst, TOL(1e-13, 3e-5), tap_joined(NAMES[form], "between knots"));
        tap_most(knots, TOL(1e-13, 1e-5), tap_joined(NAMES[form], "at the knots"));
    }
}

static void test_motors(void)
{
    begin(3, TAC_TABLE_HOLD);
    input.actions = 7;
    input.motor[0] = (tac_motor){1, 2, 3, 4, 5, 9, TAC_MOTOR_PD};
    tap_equal(tac_plan_evaluate(&plan, 0, 1, &input), TAC_OK, "from the second motor on");
    tap_equal(input.motors, 1 + CHANNELS, "motors");
    tap_ok(input.motor[0].joint == 9 && input.motor[0].effort == 3 && input.actions == 7,
           "the first one and actions stay");
    tap_ok(input.motor[1].joint == 0 && input.motor[1].kind == TAC_MOTOR_EFFORT && input.motor[1].stiffness == 0,
           "an effort");
    tap_ok(input.motor[2].joint == 2 && input.motor[2].stiffness == 40 && input.motor[2].damping == 3 &&
               input.motor[2].velocity == 0,
           "a target with its gains");
    tap_ok(input.motor[3].joint == 4 && input.motor[3].kind == TAC_MOTOR_VELOCITY && input.motor[3].damping == 0,
           "a rate");
    channel[0].high = (tac_real)-0.5, channel[0].low = (tac_real)-0.6;
    plan.form = TAC_TABLE_CUBIC;
    int within = 1;
    for (int k = 0; k < 100; k++) {
        tac_plan_evaluate(&plan, (tac_real)0.01 * (tac_real)k - (tac_real)0.3, 0, &input);
        within &= command(0) >= channel[0].low && command(0) <= channel[0].high;
    }
    tap_ok(within, "within the bounds of the channel at all times");
}

// Commands of the rest of the time are those that there would have been.
static void test_shift(void)
{
    for (uint8_t form = 0; form < TAC_TABLE_FORMS; form++) {
        double worst = 0;
        uint32_t late = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            rng r = {seed};
            tac_real before[40][CHANNELS];
            begin(seed, form);
            const double by = rng_range(&r, 0, seed % 10 ? 0.5 : 3), first = rng_range(&r, 0, 0.02);
            for (int k = 0; k < 40; k++) {
                tac_plan_evaluate(&plan, (tac_real)(by + first + 0.02 * k), 0, &input);
                for (int i = 0; i < CHANNELS; i++) { before[k][i] = command(i); }
            }
            late += tac_plan_shift(&plan, (tac_real)by) != TAC_OK;
            late += plan.start <= (form == TAC_TABLE_CUBIC ? -2 : -1) * plan.spacing * (tac_real)1.001;
            for (int k = 0; k < 40; k++) {
                tac_plan_evaluate(&plan, (tac_real)(first + 0.02 * k), 0, &input);
                for (int i = 0; i < CHANNELS; i++) { worst = d_max(worst, d_abs((double)(command(i) - before[k][i]))); }
            }
        }
        tap_equal(late, 0, "no knot is kept whose time has passed");
        tap_most(worst, TOL(1e-12, 3e-5), tap_numbered("shifted plan commands the same, form", form));
    }
    begin(1, TAC_TABLE_LINEAR);
    const tac_real last = value[NUMBERS - 1];
    tap_equal(tac_plan_shift(&plan, (tac_real)1e20), TAC_OK, "by an age");
    tap_ok(value[CHANNELS - 1] == last && value[NUMBERS - 1] == last && plan.start == 0, "leaves the last knot");
}

#define SUMS 4000

// The numbers times 65536, which are integers: the same in both precisions. Moments of a Gaussian.
static void test_noise(void)
{
    double one = 0, two = 0, four = 0, along = 0, across = 0, last = 0, most = 0;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    begin(1, TAC_TABLE_HOLD);
    for (int i = 0; i < NUMBERS; i++) { value[i] = 0; }
    for (int i = 0; i < CHANNELS; i++) { channel[i].low = -100, channel[i].high = 100; }
    noisy.value = other;
    for (uint32_t k = 0; k < SUMS; k++) {
        tac_plan_perturb(&plan, 5, k, 1, &noisy);
        for (int i = 0; i < NUMBERS; i++) {
            const double z = (double)other[i];
            const int64_t whole = (int64_t)(z * 65536);
            hash = (hash ^ (uint64_t)whole) * UINT64_C(0x100000001b3);
            one += z, two += z * z, four += z * z * z * z;
            across += i > 0 ? z * (double)other[i - 1] : 0;
            most = d_max(most, d_abs(z));
        }
        along += last * (double)other[0];
        last = (double)other[0];
    }
    const double n = SUMS * NUMBERS;
    tap_near(one / n, 0, 0.02, "mean 0");
    tap_near(two / n, 1, 0.03, "variance 1");
    tap_near(four / n, 2.9, 0.15, "fourth moment of twelve numbers, 2.9");
    tap_most(d_abs(across / n), 0.02, "neighbours do not go together");
    tap_most(d_abs(along / SUMS), 0.08, "nor do candidates");
    tap_ok(most > 3.5 && most <= 6, "within 6, and as far as so many reach");
    tap_hash(hash, UINT64_C(0x97bc86ead93c2ed0), "the same numbers everywhere");
    tap_ok(noisy.knots == KNOTS && noisy.channel == channel && noisy.value == other, "the rest is that of the plan");
}

static void test_bounds(void)
{
    begin(2, TAC_TABLE_LINEAR);
    channel[0].low = (tac_real)-0.1, channel[0].high = (tac_real)0.1;
    channel[1].sigma = 0;
    noisy.value = other;
    tap_equal(tac_plan_perturb(&plan, 1, 2, 3, &noisy), TAC_OK, "noise");
    int within = 1, still = 1, moved = 1;
    for (int k = 0; k < KNOTS; k++) {
        within &= d_abs((double)other[k * CHANNELS]) <= 0.1000001;
        still &= other[k * CHANNELS + 1] == value[k * CHANNELS + 1];
        moved &= other[k * CHANNELS + 2] != value[k * CHANNELS + 2];
    }
    tap_ok(within && still && moved, "within bounds; none without a deviation");
}

static void refuse(tac_status expected, const char *name)
{
    tac_input before;
    truth_copy(&before, &input, sizeof input);
    tap_equal(tac_plan_evaluate(&plan, 0, 0, &input), expected, name);
    tap_ok(truth_equal(&before, &input, sizeof input), "the input stays");
    tap_equal(tac_plan_perturb(&plan, 1, 1, 1, &noisy), expected, name);
    tap_equal(tac_plan_shift(&plan, 1), expected, name);
}

#define REFUSE(change, expected, name)                                                                                 \
    do {                                                                                                               \
        begin(1, TAC_TABLE_LINEAR);                                                                                    \
        change;                                                                                                        \
        refuse(expected, name);                                                                                        \
    } while (0)

static void test_refused(void)
{
    const tac_real none = (tac_real)__builtin_nan(""), endless = (tac_real)__builtin_inf();
    noisy.value = other;
    REFUSE(plan.knots = 0, TAC_E_ARG, "no knots");
    REFUSE(plan.channels = TAC_MAX_JOINTS + 1, TAC_E_ARG, "too many channels");
    REFUSE(plan.form = TAC_TABLE_FORMS, TAC_E_ARG, "no such form");
    REFUSE(plan.spacing = 0, TAC_E_ARG, "no spacing");
    REFUSE(plan.spacing = none, TAC_E_ARG, "a spacing that is not finite");
    REFUSE(plan.start = endless, TAC_E_ARG, "a start that is not finite");
    REFUSE(plan.value = NULL, TAC_E_ARG, "no numbers");
    REFUSE(plan.channel = NULL, TAC_E_ARG, "no channels");
    REFUSE(value[NUMBERS - 1] = none, TAC_E_NAN, "a number that is not finite");
    REFUSE(channel[1].kind = TAC_MOTOR_POSITION, TAC_E_ARG, "a kind that no plan has");
    REFUSE(channel[1].low = 3, TAC_E_ARG, "bounds in the wrong order");
    REFUSE(channel[1].low = none, TAC_E_ARG, "a bound that is not finite");
    REFUSE(channel[1].high = 2 * TAC_MOST_POSITION, TAC_E_ARG, "a bound out of the range of a target");
    REFUSE(channel[1].stiffness = -1, TAC_E_ARG, "a negative stiffness");
    REFUSE(channel[2].sigma = -1, TAC_E_ARG, "a negative deviation");
    begin(1, TAC_TABLE_LINEAR);
    tap_equal(tac_plan_evaluate(NULL, 0, 0, &input), TAC_E_ARG, "no plan");
    tap_equal(tac_plan_evaluate(&plan, 0, 0, NULL), TAC_E_ARG, "no input");
    tap_equal(tac_plan_evaluate(&plan, none, 0, &input), TAC_E_NAN, "no time");
    tap_equal(tac_plan_evaluate(&plan, 0, TAC_MAX_JOINTS - 2, &input), TAC_E_FULL, "no room for the motors");
    tap_equal(tac_plan_evaluate(&plan, 0, UINT32_MAX, &input), TAC_E_FULL, "no room at all");
    tap_equal(tac_plan_shift(&plan, -1), TAC_E_ARG, "back in time");
    tap_equal(tac_plan_shift(&plan, none), TAC_E_NAN, "by no time");
    tap_equal(tac_plan_perturb(&plan, 1, 1, 1, NULL), TAC_E_ARG, "nowhere");
    tap_equal(tac_plan_perturb(&plan, 1, 1, none, &noisy), TAC_E_NAN, "no scale");
    tap_equal(tac_plan_perturb(&plan, 1, 1, -1, &noisy), TAC_E_ARG, "a negative scale");
}

int main(void)
{
    test_commands();
    test_motors();
    test_shift();
    test_noise();
    test_bounds();
    test_refused();
    return tap_done();
}
