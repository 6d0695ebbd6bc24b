import { z } from 'zod';
import type { DetectorRouter } from '../../../src/engine/policy/router.ts';

/** The detector of the clinic's telephone. */
export const clinicDetector: DetectorRouter = {
  mode: 'detector',
  prompt: `You answer the telephone of a doctor's clinic. Say what the caller wants.
- appointment: a new visit, a check-up, a vaccination; somebody is ill and wants to be seen.
- reschedule: to move, cancel or not keep a visit that is booked already.
- prescription: medicine: refills, renewals, doses, the pharmacy.
- billing: bills, payments, prices, refunds, insurance.
- results: results of tests, scans and samples, and when they come.
- directions: where the clinic is, how to get there, parking, access, opening hours.
- complaint: dissatisfied with people or service, or wants whoever is in charge.
- classic: anything else: greetings, thanks, small talk, questions about you.
confidence is how sure you are, from 0 to 1; below 0.6 where two of them are as likely.`,
  outputSchema: z.object({ intent: z.string(), confidence: z.number().min(0).max(1) }),
  minConfidence: 0.6,
};
