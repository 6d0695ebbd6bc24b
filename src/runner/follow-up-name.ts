/** Name of the tool by which an agent schedules a return to a conversation. */
export const followUpName = 'schedule_followup';
