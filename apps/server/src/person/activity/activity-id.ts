import { randomBytes } from 'node:crypto';

export const createActivityId = (): string => randomBytes(16).toString('base64url');
