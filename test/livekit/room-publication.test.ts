import type { LocalParticipant } from '@livekit/rtc-node';
import { expect, it } from 'vitest';
import { guardPublication } from '../../src/livekit/room/guard-publication.ts';

const unanswered =
  'room error engine: internal error: track publication timed out, no response received from the server';

/** A participant whose publications fail so, one after the other, and then succeed. */
function participant(...failures: string[]) {
  const asked: unknown[][] = [];
  const localParticipant = {
    publishTrack(...track: unknown[]) {
      asked.push(track);
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve('published') : Promise.reject(new Error(failure));
    },
  } as unknown as LocalParticipant; // The one method that is called.
  guardPublication({ localParticipant });
  guardPublication({ localParticipant });
  // Nothing is read of a track here.
  const publish = () => localParticipant.publishTrack('track' as never, 'options' as never);
  return { asked, publish };
}

it('a track that the server did not answer about is published again, so that the agent is heard late and not never', async () => {
  const { asked, publish } = participant(unanswered, unanswered);
  expect(await publish()).toBe('published');
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['track', 'options']));
});

it('a track that is never answered about, and one that is refused, fail', async () => {
  const silent = participant(unanswered, unanswered, unanswered, unanswered);
  await expect(silent.publish()).rejects.toThrow('timed out');
  expect(silent.asked).toHaveLength(3);
  const refused = participant('not allowed');
  await expect(refused.publish()).rejects.toThrow('not allowed');
  expect(refused.asked).toHaveLength(1);
});
