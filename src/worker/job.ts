import { defineAgent, type JobContext, type JobProcess, loggerOptions } from '@livekit/agents';
import { env } from 'node:process';
import { errorKind, FlowError } from '../model/errors.ts';
import { leaveToOther, sayToCaller, takeCall } from './calls/call.ts';
import { parseMetadata } from './jobs/job-metadata.ts';
import { jobSettings } from './jobs/job-settings.ts';
import { type PreparedJob, prepareJob } from './jobs/prepare-job.ts';
import { withholdLogContent } from '../livekit/guards/log-content.ts';
import { withholdNativeContent } from '../livekit/guards/native-log.ts';
import { workerLog } from './worker-log.ts';

interface Prepared {
  job?: PreparedJob;
  error?: unknown;
}

/** Whether this process, which takes one call, has taken it. */
let hasCall = false;

const defaultApology = 'Sorry, we cannot take your call right now. Please try again later.';

/** The program of a job's process, which LiveKit loads by its path. */
export default defineAgent<Prepared>({
  // Never throws: LiveKit would start the next process, which would fail the same way, and no call would be answered.
  async prewarm(proc: JobProcess<Prepared>) {
    process.once('disconnect', () => {
      // Without a worker an idle process is useless; LiveKit would let it wait another 15 seconds.
      if (!hasCall) process.exit(0);
    });
    withholdLogContent();
    withholdNativeContent(loggerOptions()?.level ?? 'info');
    try {
      proc.userData.job = await prepareJob(jobSettings(env), env, workerLog());
    } catch (error) {
      proc.userData.error = error;
    }
  },
  async entry(ctx: JobContext<Prepared>) {
    hasCall = true;
    const { job, error } = ctx.proc.userData;
    // LiveKit passes a context with any job's data; only this file reads it.
    const context = ctx as unknown as JobContext;
    // Without a worker LiveKit would continue for 15 seconds, and then end without storing running writes.
    process.once('disconnect', () => context.shutdown('worker-lost'));
    try {
      if (job === undefined) throw error;
      await takeCall(context, job, parseMetadata(ctx.job.metadata));
    } catch (failure) {
      const line = job?.config.worker?.apology ?? defaultApology;
      if (failure instanceof FlowError && failure.code === 'caller-missing') {
        workerLog().info(
          { event: 'call:caller-missing', job: ctx.job.id },
          'the room was closed before the caller came',
        );
        return ctx.shutdown(failure.code);
      }
      if (failure instanceof FlowError && /^session-(taken|over)$/.test(failure.code)) {
        // Two agents were dispatched for one call, and the other has or had it.
        workerLog().warn({ code: failure.code, job: ctx.job.id }, failure.message);
        if (failure.code === 'session-taken')
          await leaveToOther(context, job?.models ?? null, line).catch(() => undefined);
        return ctx.shutdown(failure.code);
      }
      workerLog().error({ code: errorKind(failure), job: ctx.job.id }, `the call cannot be taken: ${textOf(failure)}`);
      await sayToCaller(context, job?.models ?? null, line).catch(() => undefined);
      // Deleting the room hangs up a telephone, which would otherwise stay on a silent line.
      if (job?.config.worker?.onEnd === 'delete-room') await context.deleteRoom();
      ctx.shutdown('call-not-taken');
    }
  },
});

/** Our own errors contain nothing of a call; the text of others might. */
function textOf(error: unknown): string {
  return error instanceof FlowError ? error.message : errorKind(error);
}
