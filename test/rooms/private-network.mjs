// Runs a command in a separate network if this machine allows it, else in the current one: `node private-network.mjs
// COMMAND…`. Two test runs then cannot interfere, and tests that need the internet fail. Requires Linux and root.
import { spawnSync } from 'node:child_process';

// WebRTC finds no address on the loopback interface, so the network gets a second interface without a connection.
const setUp = [
  'ip link set lo up',
  '{ ip link add room0 type dummy 2>/dev/null || ip link add room0 type veth peer name room1; }',
  'ip addr add 10.99.0.1/32 dev room0',
  'ip link set room0 up',
  '{ ip link set room1 up 2>/dev/null || true; }',
  // Chromium finds its own address by the route to this one. No packet leaves, and all other addresses stay
  // unreachable.
  'ip route add 8.8.8.8/32 dev room0',
].join(' && ');

const command = process.argv.slice(2);
const isAllowed = spawnSync('unshare', ['-n', 'sh', '-c', setUp], { stdio: 'ignore' }).status === 0;
const [program, ...args] = isAllowed
  ? ['unshare', '-n', 'sh', '-c', `${setUp} && exec "$@"`, 'sh', ...command]
  : command;
const { status, error } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
if (error !== undefined) process.stderr.write(`${command[0]} cannot be started: ${error.message}\n`);
process.exit(status ?? 1);
