// `@livekit/agents` 1.9.0: a worker starts a process for turn detection and waits for it, even if no session uses it. It takes
// as long to start as a call, and 100 MB. Upstream: not reported. Reproduced in test/livekit/guards/spare-process.test.ts.
import { InferenceRunner } from '@livekit/agents';

/** The name under which LiveKit registers its turn detector. */
const detector = 'lk_eot_audio';

/**
 * Prevents LiveKit's workers in this process from starting a process for turn detection. Call it before a worker
 * is created, if all sessions detect turns by their VAD. Runners that plug-ins registered are unaffected.
 */
export function spareTurnProcess(): void {
  const { registeredRunners } = InferenceRunner;
  if (Object.hasOwn(registeredRunners, detector)) return;
  // LiveKit registers the detector unless its name is taken, and starts a process for each enumerable name.
  Object.defineProperty(registeredRunners, detector, { value: 'none', enumerable: false, configurable: true });
}
