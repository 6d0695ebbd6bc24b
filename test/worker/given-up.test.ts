import type { JobContext } from '@livekit/agents';
import { expect, test } from 'vitest';
import { takeCall } from '../../src/worker/calls/call.ts';
import type { PreparedJob } from '../../src/worker/jobs/prepare-job.ts';
import { expectRefusal } from '../durable/refusal.ts';

test('a call that was given up is not taken, and the operator is told what to do with it', async () => {
  // The job is not read.
  const message = await expectRefusal(
    'session-abandoned',
    takeCall({} as JobContext, {} as PreparedJob, { sessionId: 's', givenUp: true }),
  );
  expect(message).toContain('roomflow resume');
});
