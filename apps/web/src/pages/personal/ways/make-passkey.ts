import type { PasskeyCreationOptions } from '@candela/contract';
import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';

/**
 * Why the browser made no passkey. `stopped`: the person or the device stopped it; a browser does not say which.
 * `unfit`: the key cannot keep passkeys or check who uses it.
 */
export type MakingRefusal = 'exists' | 'stopped' | 'unfit' | 'failed';

const refusals: Readonly<Record<string, MakingRefusal>> = {
  InvalidStateError: 'exists',
  NotAllowedError: 'stopped',
  AbortError: 'stopped',
  ConstraintError: 'unfit',
  NotSupportedError: 'unfit',
};

/** The library wraps what the browser threw. */
const nameOf = (error: unknown): string => {
  const { cause } = error as { cause?: unknown };
  const thrown = cause instanceof Error ? cause : error;
  return thrown instanceof Error ? thrown.name : '';
};

/** Asks the browser for a new passkey. */
export const makePasskey = (options: PasskeyCreationOptions) => {
  const excludeCredentials = options.excludeCredentials.map(({ id, type, transports = [] }) => ({
    id,
    type,
    transports,
  }));
  return startRegistration({ optionsJSON: { ...options, excludeCredentials } }).then(
    (response) => ({ response }),
    (error: unknown) => ({ refusal: refusals[nameOf(error)] ?? ('failed' as const) }),
  );
};

/** Ends the browser's question, whose dialog is closed. */
export const stopMaking = (): void => WebAuthnAbortService.cancelCeremony();
