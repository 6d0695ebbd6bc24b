import { compilePattern } from '../../expression/pattern.ts';
import { halfAnchored } from '../../expression/pattern-anchors.ts';
import { momentNames } from '../../expression/moment.ts';
import type { CompiledWhen, When } from '../../expression/when.ts';
import type { Wordings } from '../../expression/wordings.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { DtmfDocument, SlotDocument } from '../../document/slot.ts';
import { isTimeOfDay } from '../../slots/bounds.ts';
import { slotRules } from '../../slots/slot-type.ts';
import { slotTypeNames, typeOf } from '../../slots/slot-types.ts';
import type { Speech } from '../../../model/ports/reader.ts';
import type { GraphSlot, KeyedDigits } from '../graph.ts';
import { ladderOf } from './ladder.ts';
import { type Report, addProblem, templateAt, whenAt } from '../report.ts';
import { wordingsAt } from './text-in-language.ts';

const noValues: ReadonlyMap<string, readonly string[]> = new Map();

/** Compiles a slot and reports rules that do not apply to its type. */
export function compileSlot(
  report: Report,
  name: string,
  slot: SlotDocument,
  path: DocumentPath,
  speech?: Speech,
): GraphSlot {
  reportMisplacedRules(report, name, slot, path);
  return {
    name,
    type: slot.type,
    description: slot.description ?? '',
    ask: slot.ask === undefined ? null : wordingsAt(report, slot.ask, [...path, 'ask']),
    optional: slot.optional ?? false,
    askWhen: slot.askWhen === undefined ? null : askWhenOf(report, slot.askWhen, [...path, 'askWhen']),
    readback:
      slot.confirm === undefined
        ? null
        : slot.confirmText === undefined
          ? readBackIn(report, speech, [...path, 'confirmText'])
          : wordingsAt(report, slot.confirmText, [...path, 'confirmText'], ['value']),
    pii: slot.pii ?? false,
    values: typeOf(slot).rules.includes('values') ? valuesOf(report, name, slot, path) : noValues,
    before: slot.before ?? null,
    after: slot.after ?? null,
    minimum: slot.minimum ?? null,
    maximum: slot.maximum ?? null,
    pattern: slot.pattern === undefined ? null : patternOf(report, slot.pattern, [...path, 'pattern']),
    region: slot.region ?? speech?.region ?? 'US',
    ends: slot.ends ?? null,
    dtmf: slot.dtmf === undefined ? null : keyedDigits(report, name, { ...slot, dtmf: slot.dtmf }, path),
    ladder: ladderOf(report, slot.ladder, [...path, 'ladder']),
  };
}

/** Compiles the condition of a question. The open question must not change while time passes, so it knows no time. */
function askWhenOf(report: Report, when: When, path: DocumentPath): CompiledWhen {
  const compiled = whenAt(report, when, path);
  for (const { path: reference, at } of compiled.references) {
    const [name = ''] = reference;
    if (reference.length > 1 || !momentNames.includes(name)) continue;
    addProblem(
      report,
      'error',
      'when-operand',
      [...path, ...at],
      `ask_when does not know the time, so it cannot read "${name}".`,
      {
        hint: 'Store the time with a data.set node, or decide by an edge.',
      },
    );
  }
  return compiled;
}

/** Returns the default read-back of a slot. */
function readBackIn(report: Report, speech: Speech | undefined, path: DocumentPath): Wordings {
  const text = speech?.lines.readBack[0].replace('{value}', '{{ value }}') ?? '{{ value }}, is that right?';
  return { place: path.join('.'), texts: [templateAt(report, text, path, ['value'], true)] };
}

function valuesOf(
  report: Report,
  name: string,
  slot: SlotDocument,
  path: DocumentPath,
): ReadonlyMap<string, readonly string[]> {
  const values = slot.values;
  const entries: [string, readonly string[]][] = Array.isArray(values)
    ? values.map((value) => [value, []])
    : Object.entries(values ?? {});
  if (entries.length === 0)
    addProblem(report, 'error', 'enum-without-values', path, `slot "${name}" is an enum but has no values.`, {
      hint: 'List them: values: { small: [little], large: [big] }.',
      atKey: true,
    });
  const meant = new Map<string, string>();
  for (const [value, words] of entries) {
    for (const word of [value, ...words].map((text) => text.toLowerCase())) {
      const other = meant.get(word);
      if (other !== undefined && other !== value)
        addProblem(
          report,
          'error',
          'enum-ambiguous',
          [...path, 'values', value],
          `the word "${word}" means both "${other}" and "${value}".`,
          {
            hint: 'Remove it from one of them.',
          },
        );
      meant.set(word, value);
    }
  }
  return new Map(entries);
}

function patternOf(report: Report, source: string, path: DocumentPath): GraphSlot['pattern'] {
  const pattern = compilePattern(source);
  if (pattern.ok) {
    reportHalfAnchored(report, source, path);
    const whole = compilePattern(`^(?:${source})$`);
    return whole.ok ? { ...pattern, test: whole.test } : pattern;
  }
  addProblem(
    report,
    'error',
    'invalid-pattern',
    path,
    pattern.reason,
    pattern.hint === undefined ? {} : { hint: pattern.hint },
  );
  return null;
}

/** Reports a pattern that seems to match only a part of the value. */
function reportHalfAnchored(report: Report, source: string, path: DocumentPath): void {
  const part = halfAnchored(source);
  if (part === undefined) return;
  const isStart = part.startsWith('^');
  const fact = `"${part}" ${isStart ? 'begins with ^ and has no $ at its end' : 'ends with $ and has no ^ at its beginning'}, and the whole value must match.`;
  addProblem(report, 'warning', 'half-anchored-pattern', path, fact, {
    hint: `Remove the ${isStart ? '^' : '$'}, or write .* ${isStart ? 'at the end' : 'at the beginning'} if more may stand there.`,
  });
}

function reportMisplacedRules(report: Report, name: string, slot: SlotDocument, path: DocumentPath): void {
  for (const rule of slotRules) {
    if (slot[rule] === undefined || typeOf(slot).rules.includes(rule)) continue;
    const types = slotTypeNames.filter((type) => typeOf({ type }).rules.includes(rule));
    addProblem(
      report,
      'error',
      'rule-not-for-type',
      [...path, rule],
      `"${rule}" means nothing for a slot of type ${slot.type}.`,
      {
        hint: `It is for ${types.join(' and ')}. Remove it or change the type of "${name}".`,
        atKey: true,
      },
    );
  }
  const emptyRange =
    (slot.minimum !== undefined && slot.maximum !== undefined && slot.minimum > slot.maximum) ||
    (isFixed(slot.after) && isFixed(slot.before) && slot.after >= slot.before);
  if (emptyRange)
    addProblem(report, 'error', 'empty-range', path, `no value of slot "${name}" can lie within its bounds.`, {
      hint: 'Swap or widen them.',
      atKey: true,
    });
  if (slot.confirmText !== undefined && slot.confirm === undefined)
    addProblem(
      report,
      'error',
      'conflicting-keys',
      [...path, 'confirmText'],
      `slot "${name}" has a read-back text but is not read back.`,
      {
        hint: 'Add confirm: readback.',
        atKey: true,
      },
    );
  for (const rule of ['before', 'after'] as const) reportBound(report, slot, rule, [...path, rule]);
  if (slot.region !== undefined && !/^[A-Z]{2}$/.test(slot.region))
    addProblem(
      report,
      'error',
      'invalid-region',
      [...path, 'region'],
      `"${slot.region}" is not a two-letter country code.`,
      {
        hint: 'Write it in capitals, such as US or DE.',
      },
    );
}

/** Reports a bound that does not fit the slot's type: a day for a time, or a day that does not exist. */
function reportBound(report: Report, slot: SlotDocument, rule: 'before' | 'after', path: DocumentPath): void {
  const bound = slot[rule];
  if (bound === undefined || !typeOf(slot).rules.includes(rule)) return;
  if (typeOf(slot).readAs === 'time') {
    if (!isTimeOfDay(bound))
      addProblem(report, 'error', 'invalid-time', path, `"${bound}" is not a time of day.`, {
        hint: 'Write it with 24 hours, such as 09:30.',
      });
  } else if (isFixed(bound) && Number.isNaN(Date.parse(bound)))
    addProblem(report, 'error', 'invalid-date', path, `"${bound}" is not a calendar day.`);
}

function isFixed(bound: string | undefined): bound is string {
  return bound !== undefined && bound !== 'today';
}

/** The default pause after a key that ends an entry. */
const defaultTimeoutMs = 3_000;

/** The longest whole number that a number keeps exactly, in digits. */
const mostNumberDigits = 15;

/** Compiles the entry of a slot by telephone keys. Reports digits that cannot be a value of the slot; null for those. */
function keyedDigits(
  report: Report,
  name: string,
  slot: SlotDocument & { readonly dtmf: DtmfDocument },
  path: DocumentPath,
): KeyedDigits | null {
  const [least, most] = rangeOf(slot.dtmf.digits);
  const at = [...path, 'dtmf', 'digits'];
  if (typeOf(slot).ofKeys === undefined) {
    const types = slotTypeNames.filter((type) => typeOf({ type }).ofKeys !== undefined);
    const hint = `It is for ${types.join(', ')}. Remove dtmf, or offer a menu with the keys of a node.`;
    impossible(report, [...path, 'dtmf'], `digits are not a value of slot "${name}", which is ${slot.type}.`, hint);
    return null;
  }
  const problem = rangeProblem(least, most) ?? boundsProblem(slot, least, most);
  if (problem !== undefined) {
    impossible(report, at, `slot "${name}" ${problem.fact}`, problem.hint);
    return null;
  }
  if (slot.pii === true && slot.confirm !== undefined)
    addProblem(
      report,
      'error',
      'sealed-slot-spoken',
      [...path, 'confirm'],
      `slot "${name}" is personal and takes keys, so its digits are never spoken.`,
      { hint: 'Remove confirm; a function can check the digits.', atKey: true },
    );
  const { end = '#', timeoutMs = defaultTimeoutMs } = slot.dtmf;
  return { least, most, end, clear: end === '#' ? '*' : '#', timeoutMs };
}

function rangeOf(digits: DtmfDocument['digits']): readonly [least: number, most: number] {
  if (typeof digits === 'number') return [digits, digits];
  const [least = '', most = ''] = digits.split('..');
  return [Number(least), Number(most)];
}

interface DigitsProblem {
  readonly fact: string;
  readonly hint: string;
}

function rangeProblem(least: number, most: number): DigitsProblem | undefined {
  if (least >= 1 && least <= most && most <= 32) return undefined;
  return { fact: 'has an impossible number of digits.', hint: 'Write 1 to 32 digits, the smaller number first: 4..8.' };
}

function boundsProblem(
  { type, minimum, maximum }: SlotDocument,
  least: number,
  most: number,
): DigitsProblem | undefined {
  if (type !== 'number' && type !== 'integer') return undefined;
  if (most > mostNumberDigits)
    return {
      fact: `is a number, and a number keeps at most ${mostNumberDigits} digits.`,
      hint: 'Use type text for longer ones.',
    };
  if (maximum !== undefined && maximum < 0)
    return { fact: 'takes only negative numbers, which have no keys.', hint: 'Change its maximum.' };
  if (minimum !== undefined && minimum > 10 ** most - 1)
    return { fact: `needs more than ${most} digits for its minimum.`, hint: 'Raise digits or lower the minimum.' };
  // Without a leading zero, the smallest number of `least` digits.
  if (maximum !== undefined && least > 1 && maximum < 10 ** (least - 1))
    return { fact: `needs fewer than ${least} digits for its maximum.`, hint: 'Lower digits or raise the maximum.' };
  return undefined;
}

function impossible(report: Report, path: DocumentPath, message: string, hint: string): void {
  addProblem(report, 'error', 'impossible-digits', path, message, { hint, atKey: true });
}
