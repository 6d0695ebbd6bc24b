/** The name of the tool by which an agent comes back to a conversation. */
export const followUpName = 'schedule_followup';
