// The configuration of each campaign process. Each text that a provider takes is a line of the ledger: its key and
// number.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { defineConfig } from 'roomflow';

const count = Number(process.env['CAMPAIGN_RECIPIENTS']);
const perSecond = Number(process.env['CAMPAIGN_PER_SECOND']);
const ledger = process.env['CAMPAIGN_LEDGER'] ?? '';

export default defineConfig({
  flows: { checkup: 'checkup.yaml' },
  store: process.env['CAMPAIGN_STORE'] ?? '',
  // This test makes no HTTP requests.
  resolveActor: () => null,
  can: (_actor, action) => action === 'campaign:change',
  channels: { sms: { send: (_text, to, { key }) => appendFileSync(ledger, `${key} ${to}\n`) } },
  campaigns: {
    recall: {
      ...{ flow: 'checkup', reach: 'message', channel: 'sms', pageSize: 20 },
      ...(perSecond > 0 ? { pace: { perSecond } } : {}),
      async *segment(after) {
        for (let number = Number(after ?? 0) + 1; number <= count; number += 1)
          yield { id: `p${number}`, cursor: String(number), to: `+${number}`, input: { name: `Person ${number}` } };
      },
    },
  },
});
