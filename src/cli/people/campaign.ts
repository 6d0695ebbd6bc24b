import { defineCommand } from 'citty';
import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { CampaignState } from '../../people/campaigns/fold-campaign.ts';
import { continueCampaign, haltCampaign, listCampaigns, startCampaign } from '../../people/campaigns/keep-campaigns.ts';
import { type HeldRecipients, heldRecipients } from '../../people/campaigns/held-recipients.ts';
import type { Store } from '../../model/ports/store.ts';
import { planParts } from '../../runner/plans.ts';
import { systemClock, systemIds } from '../../system.ts';
import { actAs, assertAllowed, operatorOf } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, storeArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

const acts = ['status', 'start', 'stop', 'resume'];

const accesses: Readonly<Record<string, 'read' | 'make'>> = { status: 'read', start: 'make' };

export const campaignCommand = defineCommand({
  args: {
    act: { type: 'positional', description: `The action: ${acts.join(', ')}. Default: status.`, required: false },
    id: {
      type: 'positional',
      description: 'The id of the campaign. Without it, status lists all campaigns.',
      required: false,
    },
    ...storeArgs,
  },
  run: ({ args: { act = 'status', id, ...args } }) =>
    inStore(args, (store, config) => perform(act, id, store, config ?? {}), accesses[act] ?? 'write'),
});

async function perform(act: string, id: string | undefined, store: Store, config: OpenedConfig): Promise<void> {
  const parts = planParts(config, { store, clock: systemClock, ids: systemIds });
  const operator = operatorOf(config);
  if (act === 'status') {
    await assertAllowed(operator, 'campaign:list', {});
    const campaigns = (await listCampaigns(parts)).filter((state) => id === undefined || state.id === id);
    const held = await heldRecipients(parts);
    for (const state of campaigns) printRow(lineOf(state, held.get(state.id)));
    if (campaigns.length > 0) return;
    if (id !== undefined && !Object.hasOwn(config.campaigns ?? {}, id))
      throw new FlowError(
        'campaign-unknown',
        `there is no campaign "${id}". "roomflow campaign" lists the campaigns that were started.`,
      );
    print(paint('dim', id === undefined ? 'No campaign was started.' : `Campaign "${id}" was not started.`));
    return;
  }
  if (!acts.includes(act))
    throw new FlowError('option-invalid', `campaign has no action "${act}". Use ${acts.join(', ')}.`);
  if (id === undefined) throw new FlowError('option-empty', `campaign ${act} needs the id of a campaign.`);
  const change = act === 'start' ? startCampaign : act === 'stop' ? haltCampaign : continueCampaign;
  const acting = { action: 'campaign:change', resource: { name: id }, details: { campaign: id, act } } as const;
  const state = await actAs(operator, store, acting, () => change(parts, id));
  printRow(lineOf(state, (await heldRecipients(parts)).get(id)));
}

function lineOf(
  { id, status, round, posted, passedOver, calls = {}, cursor, failure }: CampaignState,
  held: HeldRecipients | undefined,
): string {
  const trouble = failure === null ? '' : `  ${failure}`;
  const passed = passedOver === 0 ? '' : `, ${passedOver} passed over`;
  const results = Object.entries(calls).map(([result, count]) => `${count} ${result}`);
  const called = results.length === 0 ? '' : `, calls: ${results.join(', ')}`;
  const place = cursor === null ? '' : `  at ${cursor}`;
  return `${id}  ${status}  since ${new Date(round.tick).toISOString()}  ${counted(posted, 'recipient')}${passed}${heldText(held)}${called}${place}${trouble}`;
}

/** Describes how many recipients still have to be contacted, and when. */
function heldText(held: HeldRecipients | undefined): string {
  if (held === undefined) return '';
  const [first, last] = [held.first, held.last].map((at) => new Date(at).toISOString());
  return first === last
    ? `, ${held.recipients} held until ${first}`
    : `, ${held.recipients} held, from ${first} to ${last}`;
}
