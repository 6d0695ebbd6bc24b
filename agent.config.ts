import { defineConfig } from 'roomflow';
import { flowTool, type FunctionTool } from 'roomflow/livekit';
import * as clinic from './flows/clinic-intake/tools.ts';
import * as restaurant from './flows/restaurant-booking/tools.ts';
import * as support from './flows/support-triage/tools.ts';

// Calendar, book and ticket list live in memory here; a real agent would call its own systems.
/** The day here, as the conversations have it: in the evening it may be another one in UTC. */
const today = (): string => new Date().toLocaleDateString('sv-SE');
const visits = clinic.createTools({ today });
const tables = restaurant.createTools({ today });
const accounts = [{ phone: '+14155550123', name: 'Sam Reed', area: 'harbour', termEnds: '2027-06-30' }];
const tickets = support.createTools({ today, accounts });

/** Gives each function its schema; what it is for stands in the flow that offers it. `ring` is only ever an action. */
function toolsOf<Name extends string>(
  schemas: Record<Name, NonNullable<Parameters<typeof flowTool>[0]['parameters']>>,
  run: Record<Name, (input: unknown, call: { readonly key: string }) => Promise<unknown>>,
): FunctionTool[] {
  const names = (Object.keys(schemas) as Name[]).filter((name) => name !== 'ring');
  return names.map((name) => flowTool({ name, description: name, parameters: schemas[name], execute: run[name] }));
}

/** What `npm start` talks to, and what `roomflow check` and `roomflow chat` find beside it. */
export default defineConfig({
  initialFlow: 'clinic-intake',
  flows: {
    'clinic-intake': 'flows/clinic-intake/flow.yaml',
    'restaurant-booking': 'flows/restaurant-booking/flow.yaml',
    'support-triage': 'flows/support-triage/flow.yaml',
  },
  tools: [
    ...toolsOf(clinic.toolArguments, visits),
    ...toolsOf(restaurant.toolArguments, tables),
    ...toolsOf(support.toolArguments, tickets),
  ],
  handlers: {
    // Putting a caller through needs a telephone; in a terminal nothing rings.
    ring: () => ({ ringing: true }),
    note_consent: (input, call) => visits.note_consent(input, call),
    text_guest: (input, call) => tables.text_guest(input, call),
  },
});
