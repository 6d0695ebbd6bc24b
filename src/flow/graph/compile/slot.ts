import { compilePattern } from '../../expression/pattern.ts';
import { halfAnchored } from '../../expression/pattern-anchors.ts';
import type { Wordings } from '../../expression/wordings.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { SlotDocument } from '../../document/slot.ts';
import { isTimeOfDay } from '../../slots/bounds.ts';
import { slotRules } from '../../slots/slot-type.ts';
import { slotTypeNames, typeOf } from '../../slots/slot-types.ts';
import type { Speech } from '../../../model/ports/reader.ts';
import type { GraphSlot } from '../graph.ts';
import { keyedDigits } from './keyed-digits.ts';
import { ladderOf } from './ladder.ts';
import { type Report, addProblem, templateAt } from '../report.ts';
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
    dtmf: slot.dtmf === undefined ? null : keyedDigits(report, name, { ...slot, dtmf: slot.dtmf }, path),
    ladder: ladderOf(report, slot.ladder, [...path, 'ladder']),
  };
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
