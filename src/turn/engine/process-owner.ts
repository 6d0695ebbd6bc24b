import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/**
 * A name for what this process owns, by which another process of the same machine can tell that this one is gone; `unique`
 * tells the runs of one process apart. Where the machine cannot tell that, it is `unique` alone.
 */
export function ownerName(unique: string): string {
  const machine = machineName();
  own ??= processAt(process.pid);
  return machine === null || own === null ? unique : [prefix, machine, process.pid, own.startedAt, unique].join(':');
}

/** How the names of owners begin that are processes of this machine; null where it cannot tell which of them are gone. */
export function namesHere(): string | null {
  const machine = machineName();
  return machine === null ? null : `${prefix}:${machine}:`;
}

/**
 * Whether an owner was a process of this machine that is gone: it has ended, or the machine was started anew. False where
 * that is not known, as of an owner on another machine or in another container.
 */
export function isGone(owner: string): boolean {
  const [first, boot = '', space = '', pid = '', startedAt = ''] = owner.split(':');
  const here = machineName();
  if (first !== prefix || here === null || !/^\d+$/.test(pid)) return false;
  if (`${boot}:${space}` !== here) return false;
  const found = processAt(Number(pid));
  return found === null ? !isThere(Number(pid)) : found.startedAt !== startedAt || found.isDead;
}

/** Whether an owner is a clerk, whose own name begins so: it has a session while it works on it, and talks to nobody. */
export function isClerk(owner: string): boolean {
  return uniqueOf(owner).startsWith('clerk');
}

/** Whether `unique` is what the name of an owner tells its runs apart by, in whatever process. */
export function isNamed(owner: string, unique: string): boolean {
  return uniqueOf(owner) === unique;
}

function uniqueOf(owner: string): string {
  return owner.slice(owner.lastIndexOf(':') + 1);
}

/** An owner as people are told of it, who want to find its process: on this machine, or on the one of that job. */
export function shownOwner(owner: string): string {
  const [first, , , pid = ''] = owner.split(':');
  return first === prefix ? `${uniqueOf(owner)} (process ${pid})` : owner;
}

/** The name of a job as the owner of a session whose caller has not come yet. */
export function awaitingName(job: string): string {
  return `${awaitingPrefix}${job}`;
}

/** The name of an owner whose caller has left, and may come back. */
export function awayName(owner: string): string {
  const unique = uniqueOf(owner);
  return `${owner.slice(0, owner.length - unique.length)}${awayPrefix}${unique}`;
}

/** Whether an owner waits for its caller: it talks to nobody, and leaves the session to whoever has the caller. */
export function isAwaiting(owner: string): boolean {
  return owner.startsWith(awaitingPrefix) || uniqueOf(owner).startsWith(awayPrefix);
}

const awaitingPrefix = 'awaiting-';
const awayPrefix = 'away-';
const prefix = 'process';

/** What is asked for each session, and never changes. */
let own: ReturnType<typeof processAt> | undefined;
let machineHere: string | null | undefined;

/** This start of this machine, and the space in which its process ids are counted: each container has one. Linux alone tells. */
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

/** Whether there is a process of this id, which another user may hide. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** A process of this space; null where none of this id can be seen. An id is given again, but not at the same moment. */
function processAt(pid: number): { readonly startedAt: string; readonly isDead: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets, and may hold anything.
    const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { startedAt: fields[18] ?? '', isDead: state === 'Z' || state === 'X' };
  } catch {
    return null;
  }
}
