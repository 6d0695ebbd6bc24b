import { expect } from 'vitest';
import { FlowError } from '../../src/model/errors.ts';

/** Expects a FlowError with this code and returns its message. */
export async function expectRefusal(code: string, refused: Promise<unknown>): Promise<string> {
  const error: unknown = await refused.then(
    () => 'not refused',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FlowError);
  expect(error).toMatchObject({ code });
  return (error as FlowError).message; // The line above expects it.
}
