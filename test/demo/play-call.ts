import { dispose } from '@livekit/rtc-node';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { toSpeakable } from '../../src/offline/voice/speakable.ts';
import { joinRoom } from '../rooms/caller.ts';
import { goThrough } from '../rooms/intake.ts';
import type { LivekitServer } from '../rooms/livekit-server.ts';
import { type Recording, startRecorder } from './recorder.ts';

const room = 'demo';

/** Plays a whole intake by voice, prints it line by line, and returns the words of both sides. */
export async function playCall(server: LivekitServer, line: (text: string) => void): Promise<Recording> {
  const recorder = await startRecorder(server, room);
  const begunAt = performance.now();
  const tell = (who: string, text: string): void => {
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    line(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}  ${who.padEnd(7)} ${text}`);
  };
  const caller = await joinRoom(server, room);
  const dispatch = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
  await dispatch.createDispatch(room, 'clinic', { metadata: '{"flow":"clinic-intake"}' });
  let told = 0;
  const tellAgent = (): void => {
    for (const { from, text } of caller.lines.slice(told)) if (from === 'agent') tell('agent', text);
    told = caller.lines.length;
  };
  const telling = setInterval(tellAgent, 200);
  try {
    await goThrough(
      caller,
      async (words) => {
        tellAgent();
        tell('caller', words);
        await caller.speak(await speakSentence(toSpeakable(words), 'rms'));
      },
      /goodbye/i,
    );
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
    tellAgent();
    return await recorder.stop();
  } finally {
    clearInterval(telling);
    await caller.leave();
    await dispose();
  }
}
