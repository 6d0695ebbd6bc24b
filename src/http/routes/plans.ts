import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Actor } from '../../people/authority.ts';
import { writtenDown } from '../../people/audit.ts';
import { refOf } from '../../people/authority.ts';
import type { CampaignState } from '../../people/campaigns/fold-campaign.ts';
import { continueCampaign, haltCampaign, listCampaigns, startCampaign } from '../../people/campaigns/keep-campaigns.ts';
import { type HeldRecipients, heldRecipients } from '../../people/campaigns/held-recipients.ts';
import type { ScheduleState } from '../../people/schedules/fold-schedule.ts';
import { changeSchedule, listSchedules } from '../../people/schedules/keep-schedules.ts';
import { allowed } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { refusals } from '../problem.ts';
import { idSchema, jsonAnswer } from '../schemas.ts';

const scheduleSchema = z
  .object({
    id: z.string(),
    status: z.enum(['active', 'paused', 'removed', 'over']),
    next: z.string().nullable().openapi({ description: 'The time of the next run.' }),
    runs: z.int(),
    passedOver: z.int(),
  })
  .openapi('Schedule');

const campaignSchema = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'stopped', 'failed', 'done']),
    since: z.string(),
    posted: z.int().openapi({ description: 'Recipients of this round whose turns were posted.' }),
    passedOver: z.int(),
    held: z.object({ recipients: z.int(), first: z.string(), last: z.string() }).nullable().openapi({
      description: 'Recipients to be reached later, with the times of the first and the last one.',
    }),
    calls: z
      .record(z.string(), z.int())
      .openapi({ description: 'Counts of the call results of this round: answered, busy, no-answer and so on.' }),
    failure: z.string().nullable().openapi({ description: 'The last error while reading the segment.' }),
  })
  .openapi('Campaign');

const scheduleActs = ['pause', 'resume', 'run-now', 'remove'] as const;
const campaignActs = ['start', 'stop', 'resume'] as const;

/** `GET /schedules`, `POST /schedules/{id}/{act}`, `GET /campaigns` and `POST /campaigns/{id}/{act}`. */
export function addPlanRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const { plans } = parts;
  app.openapi(
    createRoute({
      method: 'get',
      path: '/schedules',
      summary: 'Lists the schedules.',
      security: [{ bearer: [] }],
      responses: {
        200: jsonAnswer('The schedules.', z.object({ schedules: z.array(scheduleSchema) })),
        ...refusals(401),
      },
    }),
    async (context) => {
      await allowed(parts, context, 'schedule:list');
      return context.json({ schedules: (await listSchedules(plans)).map(scheduleOf) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/schedules/{id}/{act}',
      summary: 'Pauses, resumes, removes or runs a schedule.',
      security: [{ bearer: [] }],
      request: { params: paramsOf(scheduleActs) },
      responses: { 200: jsonAnswer('The current state of the schedule.', scheduleSchema), ...refusals(401, 404, 409) },
    }),
    async (context) => {
      const { id, act } = context.req.valid('param');
      const actor = await allowed(parts, context, 'schedule:change', { name: id });
      const state = await writtenDown(parts.store, recordOf(actor, 'schedule:change', { schedule: id, act }), () =>
        changeSchedule(plans, id, { type: act }),
      );
      return context.json(scheduleOf(state), 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/campaigns',
      summary: 'Lists started campaigns with their progress.',
      security: [{ bearer: [] }],
      responses: {
        200: jsonAnswer('The campaigns.', z.object({ campaigns: z.array(campaignSchema) })),
        ...refusals(401),
      },
    }),
    async (context) => {
      await allowed(parts, context, 'campaign:list');
      const [campaigns, held] = await Promise.all([listCampaigns(plans), heldRecipients(plans)]);
      return context.json({ campaigns: campaigns.map((state) => campaignOf(state, held.get(state.id))) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/campaigns/{id}/{act}',
      summary: 'Starts, stops or resumes a round of a campaign.',
      security: [{ bearer: [] }],
      request: { params: paramsOf(campaignActs) },
      responses: { 200: jsonAnswer('The current state of the campaign.', campaignSchema), ...refusals(401, 404, 409) },
    }),
    async (context) => {
      const { id, act } = context.req.valid('param');
      const actor = await allowed(parts, context, 'campaign:change', { name: id });
      const change = { start: startCampaign, stop: haltCampaign, resume: continueCampaign }[act];
      const state = await writtenDown(parts.store, recordOf(actor, 'campaign:change', { campaign: id, act }), () =>
        change(plans, id),
      );
      return context.json(campaignOf(state, (await heldRecipients(plans)).get(id)), 200);
    },
  );
}

function paramsOf<const Acts extends readonly [string, ...string[]]>(acts: Acts) {
  return z.object({
    id: idSchema.openapi({ param: { name: 'id', in: 'path' } }),
    act: z.enum(acts).openapi({ param: { name: 'act', in: 'path' } }),
  });
}

function recordOf(actor: Actor, action: string, details: Readonly<Record<string, string>>) {
  return { actor: refOf(actor), action, sessionId: null, details };
}

function scheduleOf({ schedule: { id }, status, next, runs, passedOver }: ScheduleState) {
  return { id, status, runs, passedOver, next: next === null ? null : new Date(next.dueAt).toISOString() };
}

function campaignOf(
  { id, status, round, posted, passedOver, calls = {}, failure }: CampaignState,
  given: HeldRecipients | undefined,
) {
  const held =
    given === undefined
      ? null
      : { recipients: given.recipients, first: timeText(given.first), last: timeText(given.last) };
  return { id, status, posted, passedOver, held, calls, failure, since: timeText(round.tick) };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
