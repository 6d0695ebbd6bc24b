import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import { OfflineBrain } from '../../offline/brain/offline-brain.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { readSchedule } from '../../people/schedules/read-schedule.ts';
import { systemCivilTime } from '../../system.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { createSeededRandom } from '../../testing/seeded-random.ts';
import { blamedPath } from '../blamed-path.ts';
import { checkExpectation, unwantedIn } from '../document/check-expectation.ts';
import { sweepCrashes } from './crash-sweep.ts';
import type { Engine, Scenario } from '../document/document.ts';
import { lengthMs } from '../document/durations.ts';
import { createJudge } from '../live/judge.ts';
import { playPersona } from '../live/play-persona.ts';
import type { CrashPoint } from './crash-point.ts';
import type { OpenedTest } from '../opened-test.ts';
import { type Broken, type Judge, momentOf, playTurns } from './play-scenario.ts';
import { sliceOf } from '../record/record.ts';
import type { ScenarioResult, TestFailure } from './scenario-result.ts';
import { openWorld, type ScenarioWorld } from './scenario-world.ts';
import { createScriptedReplies, type ReplyMemory } from './scripted-replies.ts';
import { withDirectNotifications } from './direct-notifications.ts';

/** A scenario as it is run: with the defaults of its file, and one for each row of `each`. */
export interface ScenarioToRun {
  readonly scenario: Scenario;
  /** Its index in the document. */
  readonly index: number;
  readonly name: string;
  readonly engine: Engine;
}

/** Settings for running scenarios. */
export interface RunSettings {
  /** Replaces the store that a scenario names. */
  readonly store?: string | undefined;
  /** Replaces the seed that a scenario names. */
  readonly seed?: number | undefined;
}

const defaultNow = Date.UTC(2030, 0, 7, 9);
const defaultGraceMs = 30_000;
const defaultWordsPerMinute = 160;

/** Plays a scenario once, with everything that it asks for except repeats. */
export async function runScenario(
  test: OpenedTest,
  one: ScenarioToRun,
  settings: RunSettings,
): Promise<ScenarioResult> {
  const startedAt = performance.now();
  const { scenario, index, engine } = one;
  const memory: { kept: ReplyMemory | null } = { kept: null };
  const broken: Broken[] = [];
  let world: ScenarioWorld | null = null;
  let unchecked: Record<string, number> = {};
  let crashes = 0;
  try {
    world = await openScenarioWorld(test, one, settings, null, null);
    const live = engine === 'live' ? await test.openModel() : null;
    const judge = live === null ? null : createJudge(live);
    if (live !== null && scenario.persona !== undefined) broken.push(...(await playPersona(world, scenario, live)));
    else {
      const played = await playTurns(world, scenario, { engine, judge, checksTurns: true });
      broken.push(...played.broken);
      unchecked = { ...played.unchecked };
    }
    broken.push(...(await brokenAtTheEnd(world, scenario, judge)));
    const { criteria = [], crash } = scenario;
    if (judge === null && criteria.length > 0) unchecked['criteria'] = criteria.length;
    if (live !== null && crash !== undefined) unchecked['crash sweep'] = 1;
    const lost = live === null ? null : lostModel(world);
    if (lost !== null) throw new FlowError('model-failed', `the model did not answer (${lost}).`);
    memory.kept = world.replies.memory;
    const { writes } = world;
    await world.close();
    if (scenario.crash === 'sweep' && broken.length === 0 && engine !== 'live') {
      const swept = await sweepCrashes(world, writes, one, (crash) =>
        openScenarioWorld(test, one, settings, crash, memory.kept),
      );
      crashes = swept.tried;
      broken.push(...swept.broken);
    }
  } catch (error) {
    await world?.close().catch(() => undefined);
    if (!isOfTheWorld(error)) throw error;
    return { ...resultOf(test, one, world, startedAt), status: 'broken', reason: error.message };
  }
  const failures = broken.map((each) => failureOf(test, index, each));
  return {
    ...resultOf(test, one, world, startedAt),
    status: failures.length === 0 ? 'passed' : 'failed',
    failures,
    unchecked,
    crashes,
  };
}

/** Why requests to a model behind a network failed, or null if none failed. */
function lostModel({ record }: ScenarioWorld): string | null {
  const reasons = record.events.flatMap(({ event }) => (event.type === 'response:failed' ? [event.data.reason] : []));
  return reasons.find((reason) => /^(?:API|ECONN|ENOTFOUND|model-)/.test(reason)) ?? null;
}

/** Checks for failures around a test, not in it: a store, a model, a key. */
function isOfTheWorld(error: unknown): error is FlowError {
  return error instanceof FlowError && /^(?:store|key|plugin|lease|model)-/.test(error.code);
}

function resultOf(
  test: OpenedTest,
  { name, engine, index }: ScenarioToRun,
  world: ScenarioWorld | null,
  startedAt: number,
): Omit<ScenarioResult, 'status'> {
  return {
    name,
    engine,
    reason: null,
    place: test.placeOf(['scenarios', index, 'name']),
    failures: [],
    unchecked: {},
    lines: world?.record.lines ?? [],
    events: world?.record.events ?? [],
    requests: world?.record.requests ?? [],
    runs: world?.ledger.runs ?? [],
    turnsAt: world?.record.turnsAt ?? [],
    state: world?.lastState ?? null,
    ended: world?.lastEnded ?? null,
    crashes: 0,
    repeats: null,
    durationMs: performance.now() - startedAt,
  };
}

/** The result of a scenario that is not run. */
export function skippedResult(test: OpenedTest, one: ScenarioToRun, reason: string): ScenarioResult {
  return { ...resultOf(test, one, null, performance.now()), status: 'skipped', reason, durationMs: 0 };
}

function failureOf(test: OpenedTest, index: number, one: Broken): TestFailure {
  const path = ['scenarios', index, ...one.path];
  const { flow } = test;
  const blamed = blamedPath(flow, one);
  return {
    path,
    turn: one.turn,
    message: one.message,
    expected: one.expected,
    found: one.found,
    fresh: one.fresh ?? null,
    place: test.placeOf(path),
    flowPlace: blamed === null ? null : flow.placeOf(blamed),
  };
}

/** The expectations at the end that do not hold, and unwanted events that happened. */
async function brokenAtTheEnd(
  world: ScenarioWorld,
  { never = [], finally: whole, criteria = [] }: Scenario,
  judge: Judge | null,
): Promise<readonly Broken[]> {
  const { record, ledger, state, ended, language } = world;
  const broken: Broken[] = [];
  for (const [index, unwanted] of never.entries())
    for (const turn of record.turnsAt.keys())
      for (const one of unwantedIn(unwanted, sliceOf(record, ledger.runs, turn, { state, ended, language })))
        broken.push({ ...one, path: ['never', index, ...one.path], turn, expected: 'never', record });
  const about = { kind: 'words' } as const;
  const talk = record.lines.map(({ who, text }) => `${who}: ${text}`).join('\n');
  for (const [index, question] of judge === null ? [] : criteria.entries()) {
    const why = (await judge?.(question, talk)) ?? null;
    const fact = { message: 'a judge says no', expected: question, found: why, about, record };
    if (why !== null) broken.push({ ...fact, path: ['criteria', index], turn: null });
  }
  if (whole === undefined) return broken;
  const moment = await momentOf(world, null, null);
  for (const { path, ...one } of checkExpectation(whole, moment).unmet)
    broken.push({ ...one, path: ['finally', ...path], turn: null, record });
  return broken;
}

async function openScenarioWorld(
  { flow, openModel }: OpenedTest,
  { scenario, engine }: ScenarioToRun,
  settings: RunSettings,
  crash: CrashPoint | null,
  memory: ReplyMemory | null,
): Promise<ScenarioWorld> {
  const {
    timeZone = 'UTC',
    input,
    now,
    called,
    rejoinWithin,
    tools = {},
    schedules = {},
    llm: rules = {},
    seed = settings.seed,
  } = scenario;
  const live = engine === 'live' ? await openModel() : null;
  const address = settings.store ?? scenario.store ?? 'memory';
  // In a store that outlives the run, each run needs another id.
  const sessionId = address === 'memory' ? 'flowtest' : `flowtest-${randomBytes(6).toString('hex')}`;
  const startAt = now === undefined ? defaultNow : Date.parse(now);
  return await openWorld({
    sessionId,
    startAt,
    openStore: (clock) => storeFor(address, clock),
    runner: {
      ...flow.runner,
      timeZone,
      ...(input === undefined ? {} : { input }),
      ...(called === undefined ? {} : { called: { flow: flow.graph?.name ?? 'flow' } }),
    },
    code: flow,
    schedules: Object.entries(schedules).map(([id, given]) =>
      readSchedule(id, { ...given, session: sessionId }, { zone: timeZone, civil: systemCivilTime, now: startAt }),
    ),
    // A private store notifies at once, so a long interval is enough: a day does not need 86,400 looks.
    clerkLooksEveryMs: address === 'memory' || address === 'sqlite' ? 3_600_000 : undefined,
    standIns: tools,
    replies: createScriptedReplies(rules, memory),
    modelOn(clock, replies) {
      if (live !== null) return live;
      if (engine === 'offline') return new OfflineBrain({ clock, timeZone });
      return new ScriptedModel((request) => replies.answer(request), { clock });
    },
    wordMs: wordDuration(scenario, seed),
    graceMs: rejoinWithin === undefined ? defaultGraceMs : lengthMs(rejoinWithin),
    crash,
    isLive: live !== null,
  });
}

/** Speech takes time only if it matters: if it is interrupted, or if the file sets its speed. */
function wordDuration({ wordsPerMinute, turns = [] }: Scenario, seed: number | undefined): () => number {
  const isSpokenOver = turns.some(({ interrupt }) => interrupt !== undefined);
  const rate = wordsPerMinute ?? (isSpokenOver ? defaultWordsPerMinute : 0);
  const wordMs = rate > 0 ? 60_000 / rate : 0;
  if (seed === undefined) return () => wordMs;
  const random = createSeededRandom(seed);
  return () => wordMs * (0.6 + 0.8 * random.next());
}

/** `sqlite` is a separate file for each run. In Postgres each run has a separate schema. Both are deleted after it. */
async function storeFor(address: string, clock: Clock): Promise<Store> {
  if (/^postgres(ql)?:/.test(address)) {
    const { openScratchPostgres } = await import('../../store/postgres/scratch-postgres.ts');
    return withDirectNotifications(await openScratchPostgres(address, clock));
  }
  if (address !== 'sqlite') return await openStore(address, { clock });
  const folder = await mkdtemp(join(tmpdir(), 'roomflow-test-'));
  const { openSqliteStore } = await import('../../store/sqlite/store.ts');
  const store = await openSqliteStore(join(folder, 'calls.db'), { clock, isAlone: true });
  return {
    ...store,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
