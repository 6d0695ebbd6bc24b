import { expect, it } from 'vitest';
import type { Reader, ReadOptions, ValueKind } from '../../src/model/ports/reader.ts';
import { lines as english } from '../../src/language/english/lines.ts';
import type { Examples } from './examples.ts';

export const NOW = '2026-11-22T10:00';
/** The rules of every reader, with or without its own vocabulary. */
export function describeReader(reader: Reader, sentences: readonly string[]): void {
  it('a question is no consent', () => {
    for (const sentence of sentences) expect(reader.consent(`${sentence}?`).answer, sentence).toBeUndefined();
  });

  it('values in the form in which they are kept are read as they stand, and a value said is read again', () => {
    const kept: readonly (readonly [ValueKind, string | number | boolean])[] = [
      ...(['2027-03-15', '2026-12-01', '1984-07-14', '2028-02-29'] as const).map((day) => ['date', day] as const),
      ...Array.from(
        { length: 96 },
        (_, quarter) => ['time', new Date(quarter * 900_000).toISOString().slice(11, 16)] as const,
      ),
      ...[0, 1, 2, 7, 21, 80, 99, 100, 1984, 2500].map((number) => ['integer', number] as const),
      ...[0.5, 2.25, 12.5, -3].map((number) => ['number', number] as const),
      ['email', 'ann@example.com'],
      ['phone', '+14155552671'],
      // English says it without its plus sign.
      ...(reader.language === 'en' ? [] : [['phone', '+34600123456'] as const]),
    ];
    const said = { today: () => NOW.slice(0, 10) };
    for (const [kind, value] of kept) {
      const direction = kind === 'date' && String(value) < NOW ? 'past' : 'future';
      const given: ReadOptions = { now: NOW, asked: true, direction, region: 'US' };
      expect(reader.value(kind, String(value), given), `${kind} ${value}`).toMatchObject({ ok: true, value });
      const spoken = reader.spoken(kind, value, { ...said, region: 'US' });
      expect(reader.value(kind, spoken, given), spoken).toMatchObject({ ok: true, value });
      if (kind !== 'date' || direction === 'past') continue;
      const ahead = reader.spoken(kind, value, { ...said, isAhead: true });
      expect(reader.value(kind, ahead, given), ahead).toMatchObject({ ok: true, value });
    }
  });
}

/** The rules of a reader with a vocabulary, tested on examples of speech. */
export function describeExamples(reader: Reader, examples: Examples): void {
  const { question } = examples;
  const answerTo = (text: string): 'yes' | 'no' | undefined => reader.consent(text, question).answer;
  const given: ReadOptions = { now: NOW, asked: true, direction: 'future' };

  it.each(examples.agreements)('takes "%s" for a yes', (text) => {
    expect(answerTo(text)).toBe('yes');
    expect(reader.leaning(text)).not.toBe('no');
  });
  it.each(examples.refusals)('takes "%s" for a no', (text) => {
    expect(answerTo(text)).toBe('no');
    expect(reader.leaning(text)).not.toBe('yes');
  });
  it.each([...examples.neither, ...examples.changes, ...examples.open])('leaves "%s" open', (text) => {
    expect(answerTo(text)).toBeUndefined();
  });

  it.each(examples.moments.map(([text, day, time]) => ({ text, day, time })))(
    'reads "$text" as $day $time',
    ({ text, day, time }) => {
      const direction = day !== null && day < NOW ? 'past' : 'future';
      if (day !== null)
        expect(reader.value('date', text, { ...given, direction })).toMatchObject({ ok: true, value: day });
      const read = reader.value('time', text, given);
      if (time === undefined) return;
      expect(read.ok && eitherHalf(String(read.value), read.certain)).toEqual(
        eitherHalf(time, read.ok && read.certain),
      );
    },
  );
  it.each([...examples.noMoment, ...examples.unread])('is not certain of a moment in "%s"', (text) => {
    expect(reader.value('date', text, given)).not.toMatchObject({ certain: true });
    expect(reader.value('time', text, given)).not.toMatchObject({ certain: true });
  });
  it.each(examples.uncertain)('is not certain of "%s"', (text) => {
    for (const kind of ['date', 'time', 'number'] as const)
      expect(reader.value(kind, text, given), kind).not.toMatchObject({ certain: true });
  });
  it.each(examples.numbers)('reads "%s" as %d', (text, value) => {
    expect(reader.value('number', text, given)).toMatchObject({ ok: true, value });
  });
  it.each(examples.phones)('reads "%s" as %s', (text, value) => {
    expect(reader.value('phone', text, { now: NOW, asked: true })).toMatchObject({ ok: true, value });
    expect(reader.grounding('phone', value, { turns: [text], asked: true, about: '', options: given })).not.toBe(
      'unsaid',
    );
  });
  it.each(examples.emails)('reads "%s" as %s', (text, value) => {
    expect(reader.value('email', text, given)).toMatchObject({ ok: true, value });
  });
  it.each(examples.names)('reads "%s" as %s', (text, value) => {
    expect(reader.value('name', text, given)).toMatchObject({ ok: true, value });
  });
  it.each(examples.choices.map(([text, value]) => ({ text, value })))(
    'chooses by "$text": $value',
    ({ text, value }) => {
      const read = reader.value('enum', text, { ...given, values: examples.sizes });
      if (value === null) expect(read.ok).toBe(false);
      else expect(read).toMatchObject({ ok: true, value });
    },
  );

  it('a birthday without its year is incomplete', () => {
    const [text = ''] =
      examples.moments.find(([, day, time]) => day?.endsWith('-03-15') === true && time === undefined) ?? [];
    const read = reader.value('date', text.replace(/[./-]2027$/, ''), { ...given, direction: 'past' });
    expect(read).toMatchObject({ ok: false, problem: 'incomplete', missing: 'year' });
  });
  it('knows words that ask for the last words once more, and for time', () => {
    expect(examples.repeat.map((text) => reader.request(text))).toEqual(examples.repeat.map(() => 'repeat'));
    expect(examples.patience.map((text) => reader.request(text))).toEqual(examples.patience.map(() => 'patience'));
    const others = [...examples.agreements, ...examples.refusals, ...examples.changes];
    expect(others.filter((text) => answerTo(text) === undefined && reader.request(text) !== null)).toEqual([]);
  });
  it('knows words that say nothing', () => {
    expect(examples.smallTalk.filter((text) => !reader.saysNothing(text))).toEqual([]);
    expect(examples.moments.filter(([text]) => reader.saysNothing(text))).toEqual([]);
  });
  it('knows when a line hands the word over', () => {
    expect(examples.asking.filter((text) => !reader.asks(text))).toEqual([]);
    expect(examples.telling.filter((text) => reader.asks(text))).toEqual([]);
  });
  it('knows which questions yes and no answer', () => {
    expect(examples.yesNoQuestions.filter((text) => !reader.isYesNoQuestion(text))).toEqual([]);
    expect(examples.openQuestions.filter((text) => reader.isYesNoQuestion(text))).toEqual([]);
  });
  it('knows which function a plain answer calls', () => {
    expect(examples.agrees.map((text) => reader.answerMeant(text))).toEqual(examples.agrees.map(() => 'yes'));
    expect(examples.refuses.map((text) => reader.answerMeant(text))).toEqual(examples.refuses.map(() => 'no'));
    expect(examples.neitherMeant.map((text) => reader.answerMeant(text))).toEqual(
      examples.neitherMeant.map(() => null),
    );
  });
  it('says yes and no so that they are understood', () => {
    const options = { today: () => NOW.slice(0, 10) };
    expect(reader.consent(reader.spoken('boolean', true, options)).answer).toBe('yes');
    expect(reader.consent(reader.spoken('boolean', false, options)).answer).toBe('no');
  });
  it('has every line, each wording with the same places as in English', () => {
    const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [name, wordings] of Object.entries(reader.lines ?? {})) {
      const wanted = english[name as keyof typeof english];
      expect(wordings.length, name).toBeGreaterThanOrEqual(wanted.length);
      for (const wording of wordings) expect(places(wording), name).toEqual(places(wanted[0]));
    }
    expect(Object.keys(reader.lines ?? {}).toSorted()).toEqual(Object.keys(english).toSorted());
  });
}

/** Returns both times of an hour whose half of the day is open. */
function eitherHalf(time: string, isCertain: boolean): readonly string[] {
  const hour = Number(time.slice(0, 2));
  const other = `${String((hour + 12) % 24).padStart(2, '0')}${time.slice(2)}`;
  return isCertain ? [time] : [time, other].toSorted();
}
