import { describe, expect, test } from 'vitest';
import { answerTo, judge } from './scene.ts';
import { sentences } from './sentences.ts';
import { unseenSentences } from './unseen-sentences.ts';

describe('a sentence becomes the calls that it means, or a question', () => {
  for (const { domain, scene, sentences: said } of sentences)
    test.each(said.map((sentence) => [sentence.say, sentence] as const))(`${domain}: %s`, (_say, sentence) => {
      const decision = answerTo(scene, sentence);
      const calls = Object.fromEntries(decision.calls.map((call) => [call.name, call.arguments]));
      expect(calls).toEqual(sentence.expect === 'asks' ? {} : sentence.expect);
      if (sentence.expect === 'asks') expect(decision.text).not.toBe('');
    });
});

describe('sentences that the rules were not made for', () => {
  test('are hardly ever taken for something else', () => {
    const verdicts = unseenSentences.flatMap(({ domain, scene, sentences: said }) =>
      said.map((sentence) => {
        const decision = answerTo(scene, sentence);
        return { domain, say: sentence.say, verdict: judge(decision, sentence.expect), decision: JSON.stringify(decision) };
      }),
    );
    const count = (verdict: string): number => verdicts.filter((each) => each.verdict === verdict).length;
    const others = verdicts.filter((each) => each.verdict !== 'right').map((each) => `${each.verdict}: ${each.domain}: ${each.say} => ${each.decision}`);
    console.log(`unseen sentences: ${count('right')} right, ${count('safe')} asked again, ${count('wrong')} wrong, of ${verdicts.length}\n${others.join('\n')}`);
    expect(count('wrong')).toBeLessThanOrEqual(0);
  });
});
