import type { FileResult } from '../run-tests.ts';
import type { ScenarioResult, TestFailure } from '../play/scenario-result.ts';
import { placeInTurn } from './place-in-turn.ts';
import type { Totals } from './totals.ts';
import { counted } from '../../model/ports/counted.ts';

/** The style of a text. A terminal without colours ignores it. */
export type Tone = 'good' | 'bad' | 'quiet' | 'warn';
export type Painter = (tone: Tone, text: string) => string;

const marks: Readonly<Record<ScenarioResult['status'], readonly [Tone, string]>> = {
  passed: ['good', 'ok'],
  failed: ['bad', 'FAILED'],
  broken: ['bad', 'BROKEN'],
  skipped: ['quiet', 'skipped'],
};

/** The results of a file for people: a line for each scenario, and for failures the expected and the found values. */
export function prettyFile({ test, scenarios }: FileResult, paint: Painter, shows: { readonly talk: boolean }): string {
  const lines = scenarios.flatMap((one) => [
    `  ${heading(one, paint)}`,
    ...one.failures.flatMap((failure) => failureLines(failure, paint).map((line) => `    ${line}`)),
    ...(shows.talk || one.status === 'failed' ? talkOf(one).map((line) => `    ${paint('quiet', line)}`) : []),
  ]);
  return [test.file, ...lines].join('\n');
}

function heading(one: ScenarioResult, paint: Painter): string {
  const [tone, mark] = marks[one.status];
  const details = [
    ...(one.reason === null ? [] : [one.reason]),
    ...(one.engine === 'scripted' ? [] : [one.engine]),
    ...(one.crashes === 0 ? [] : [`${one.crashes} deaths survived`]),
    ...(one.repeats === null
      ? []
      : [`${one.repeats.passed} of ${counted(one.repeats.runs, 'run')} passed, ${one.repeats.needed} needed`]),
    ...Object.entries(one.unchecked).map(([what, times]) => `${times} ${what} not checked`),
  ];
  return `${paint(tone, mark)} ${one.name}${details.length === 0 ? '' : paint('quiet', ` (${details.join(', ')})`)}`;
}

function failureLines(failure: TestFailure, paint: Painter): readonly string[] {
  const { path, turn, message, expected, found, place, flowPlace } = failure;
  const where = placeInTurn(path);
  return [
    `${turn === null || turn === 0 ? '' : `turn ${turn}, `}${where}: ${message}`,
    ...(expected === null ? [] : [`  expected  ${paint('good', indented(expected))}`]),
    ...(found === null ? [] : [`  found     ${paint('bad', indented(found))}`]),
    ...(place === null ? [] : [`  at ${place.file}:${place.line}`, ...frameLines(place.frame, paint)]),
    ...(flowPlace === null
      ? []
      : [`  the flow: ${flowPlace.file}:${flowPlace.line}`, ...frameLines(flowPlace.frame, paint)]),
  ];
}

/** A text of several lines, indented to the column of its first line. */
function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(16)}`);
}

function frameLines(frame: string | undefined, paint: Painter): readonly string[] {
  return frame === undefined ? [] : frame.split('\n').map((line) => paint('quiet', `    ${line}`));
}

/** The conversation with one entry per line of a speaker, even for a model that writes paragraphs. */
export function talkOf({ lines }: Pick<ScenarioResult, 'lines'>): readonly string[] {
  return lines.map(
    ({ who, text, interrupted }) => `${who.padEnd(7)} ${text.replaceAll(/\s+/g, ' ')}${interrupted ? ' …' : ''}`,
  );
}

/** The last line: the number of each result. */
export function prettyTotals(totals: Totals, paint: Painter): string {
  const { scenarios, unchecked } = totals;
  const parts = (['passed', 'failed', 'broken', 'skipped'] as const).flatMap((status) => partOf(totals, status, paint));
  const open = Object.entries(unchecked).map(([what, times]) => `${times} ${what}`);
  const notChecked = open.length === 0 ? '' : `; not checked: ${open.join(', ')}`;
  return `${counted(scenarios, 'scenario')}: ${parts.join(', ') || 'none run'}${notChecked}`;
}

function partOf(totals: Totals, status: ScenarioResult['status'], paint: Painter): readonly string[] {
  const amount = totals[status];
  return amount === 0 ? [] : [paint(marks[status][0], `${amount} ${status}`)];
}
