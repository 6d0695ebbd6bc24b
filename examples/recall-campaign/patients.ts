/** A patient of the practice. The list stands for its database. */
export interface Patient {
  readonly id: string;
  readonly name: string;
  readonly phone: string;
  /** IANA time zone, so that patients are not called at night. */
  readonly zone: string;
  /** The day from which the check-up is due. */
  readonly due: string;
  /** Whether the patient does not want to be called. */
  doNotCall: boolean;
  /** The day of the visit, once it is booked. */
  visit: string | null;
}

const patient = (id: string, name: string, due: string, zone = 'Europe/Berlin'): Patient => ({
  ...{ id, name, phone: `+49 30 5550${id.slice(1)}`, zone, due, doNotCall: false, visit: null },
});

export const patients: readonly Patient[] = [
  patient('p101', 'Ada', '2026-01-02'),
  patient('p102', 'Ben', '2026-01-03'),
  patient('p103', 'Cleo', '2026-01-04'),
  { ...patient('p104', 'Dan', '2026-01-05'), doNotCall: true },
  patient('p105', 'Eve', '2026-01-05', 'America/New_York'),
  patient('p106', 'Finn', '2030-01-10'),
];
