import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/**
 * Returns an owner name that lets other processes on this machine detect that this process has died. `unique`
 * distinguishes runs within one process. Returns `unique` alone on machines without this information.
 */
export function ownerName(unique: string): string {
  const machine = machineName();
  own ??= processAt(process.pid);
  return machine === null || own === null ? unique : [prefix, machine, process.pid, own.startedAt, unique].join(':');
}

/** Returns the prefix of owner names of this machine; null if the machine cannot detect dead processes. */
export function namesHere(): string | null {
  const machine = machineName();
  return machine === null ? null : `${prefix}:${machine}:`;
}

/**
 * Checks whether an owner was a process of this machine that has died or predates a reboot.
 * False if unknown, such as for an owner on another machine or in another container.
 */
export function isGone(owner: string): boolean {
  const [first, boot = '', space = '', pid = '', startedAt = ''] = owner.split(':');
  const here = machineName();
  if (first !== prefix || here === null || !/^\d+$/.test(pid)) return false;
  if (`${boot}:${space}` !== here) return false;
  const found = processAt(Number(pid));
  return found === null ? !isThere(Number(pid)) : found.startedAt !== startedAt || found.isDead;
}

/** Checks whether an owner is a clerk. A clerk owns a session only while it works on it, without a caller. */
export function isClerk(owner: string): boolean {
  return uniqueOf(owner).startsWith('clerk');
}

/** Checks whether an owner's name ends with `unique`, in any process. */
export function isNamed(owner: string, unique: string): boolean {
  return uniqueOf(owner) === unique;
}

function uniqueOf(owner: string): string {
  return owner.slice(owner.lastIndexOf(':') + 1);
}

/** Formats an owner for people who look for its process on this machine or on the machine of that job. */
export function shownOwner(owner: string): string {
  const [first, , , pid = ''] = owner.split(':');
  return first === prefix ? `${uniqueOf(owner)} (process ${pid})` : owner;
}

/** Returns the owner name of a job whose caller has not arrived yet. */
export function awaitingName(job: string): string {
  return `${awaitingPrefix}${job}`;
}

/** Returns the owner name for a session whose caller has left and may return. */
export function awayName(owner: string): string {
  const unique = uniqueOf(owner);
  return `${owner.slice(0, owner.length - unique.length)}${awayPrefix}${unique}`;
}

/** Checks whether an owner waits for its caller. It gives up the session to any process that has the caller. */
export function isAwaiting(owner: string): boolean {
  return owner.startsWith(awaitingPrefix) || uniqueOf(owner).startsWith(awayPrefix);
}

const awaitingPrefix = 'awaiting-';
const awayPrefix = 'away-';
const prefix = 'process';

/** Cached, because every session needs it and it never changes. */
let own: ReturnType<typeof processAt> | undefined;
let machineHere: string | null | undefined;

/** Returns the boot id of this machine and its process namespace, which each container has its own. Linux only. */
function machineName(): string | null {
  return (machineHere ??= readMachineName());
}

function readMachineName(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const space = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
    return boot === '' || space === '' ? null : `${boot}:${space}`;
  } catch {
    return null;
  }
}

/** Checks whether a process with this id exists, even if another user hides it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Returns a process of this namespace; null if it is not visible. The start time distinguishes reused ids. */
function processAt(pid: number): { readonly startedAt: string; readonly isDead: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character.
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { startedAt: fields[18] ?? '', isDead: state === 'Z' || state === 'X' };
  } catch {
    return null;
  }
}
