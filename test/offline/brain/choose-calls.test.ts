import { describe, expect, test } from 'vitest';
import { moreSentences } from './more-sentences.ts';
import { answerTo, judge } from './scene.ts';
import { sentences } from './sentences.ts';
import { unseenSentences } from './unseen-sentences.ts';

describe('a sentence becomes the calls that it means, or none', () => {
  for (const { domain, scene, sentences: said } of sentences)
    test.each(said.map((sentence) => [sentence.say, sentence] as const))(`${domain}: %s`, (_say, sentence) => {
      const decision = answerTo(scene, sentence);
      const calls = Object.fromEntries(decision.calls.map((call) => [call.name, call.arguments]));
      expect(calls).toEqual(sentence.expect === 'asks' ? {} : sentence.expect);
    });
});

describe('sentences from other domains', () => {
  test.each([
    ['those written before the rules were first run', moreSentences],
    ['those written when the rules were done', unseenSentences],
  ])('are understood or not, never taken for something else: %s', (_which, groups) => {
    const verdicts = groups.flatMap(({ domain, scene, sentences: said }) =>
      said.map((sentence) => {
        const decision = answerTo(scene, sentence);
        return {
          verdict: judge(decision, sentence.expect),
          what: `${domain}: ${sentence.say} => ${JSON.stringify(decision)}`,
        };
      }),
    );
    const of = (verdict: string): string[] =>
      verdicts.filter((each) => each.verdict === verdict).map((each) => each.what);
    expect(of('wrong')).toEqual([]);
    expect(of('right').length / verdicts.length).toBeGreaterThan(0.9);
  });
});
