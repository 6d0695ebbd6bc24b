// `@livekit/agents` 1.9.0: a worker starts a process that hears where a turn ends, and waits for it, whether or not any session
// asks it. It takes as long to start as a call, and 100 MB.
// Upstream: not reported.
// The fault itself: test/livekit/guards/spare-process.test.ts.
import { InferenceRunner } from '@livekit/agents';

/** The name under which LiveKit registers its detector of turns. */
const detector = 'lk_eot_audio';

/**
 * Lets LiveKit's workers of this process start none for its detector of turns. To be called before one is made, where all
 * sessions take the end of a turn from their VAD. What a plug-in has registered has its process as before.
 */
export function spareTurnProcess(): void {
  const { registeredRunners } = InferenceRunner;
  if (Object.hasOwn(registeredRunners, detector)) return;
  // LiveKit registers it where its name is not taken, and starts a process where it can list a name.
  Object.defineProperty(registeredRunners, detector, { value: 'none', enumerable: false, configurable: true });
}
