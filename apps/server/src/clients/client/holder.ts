/** Whose clients: those of a member, or those that a machine made. */
export type Holder = { accountId: string } | { machineId: string };
