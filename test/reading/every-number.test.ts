import { describe, expect, it } from 'vitest';
import { isBroad } from '../tries.ts';
import { NOW } from './conformance.ts';
import { languages } from './languages.ts';
import { numberWords } from './number-words.ts';

describe('numbers in words', () => {
  it.each(Object.entries(numberWords))('in %s are read from 0 to 9999', (language, say) => {
    const reader = languages.find(([, each]) => each.language === language)?.[1];
    const wrong: string[] = [];
    for (let value = 0; value < 10_000; value += isBroad || value < 1_000 ? 1 : 7) {
      const read = reader?.value('integer', say(value), { now: NOW, asked: true });
      if (read?.ok !== true || read.value !== value || !read.certain) wrong.push(say(value));
    }
    expect(wrong).toEqual([]);
  });
});

describe('typed days', () => {
  const readers = languages.filter(([name]) => name !== 'English');
  it.each(readers)('of two years are read in %s', (_name, reader) => {
    const wrong: string[] = [];
    for (let at = Date.UTC(2026, 10, 23); at < Date.UTC(2028, 10, 23); at += (isBroad ? 1 : 3) * 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10);
      const [year = '', month = '', date = ''] = day.split('-');
      const short = new Intl.DateTimeFormat(reader.language, { month: 'short', timeZone: 'UTC' }).format(at);
      for (const text of [
        `${Number(date)}/${Number(month)}/${year}`,
        `${date}.${month}.${year}`,
        `${Number(date)}-${Number(month)}-${year.slice(2)}`,
        `${Number(date)}. ${short} ${year}`,
        `${Number(date)} ${short} ${year}`,
      ]) {
        const read = reader.value('date', text, { now: NOW, asked: true, direction: 'future' });
        if (!read.ok || read.value !== day || !read.certain) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });
});
