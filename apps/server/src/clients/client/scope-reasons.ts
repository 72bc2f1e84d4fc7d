import { readWords } from '../../branding/scope/space-separated.ts';
import { faultAt, type RegistrationFault } from './fault.ts';

type Metadata = Readonly<Record<string, unknown>>;

const REASON_LENGTH = 200;
/** One line without characters that nobody sees or that turn the text round. */
const PLAIN = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

const isReason = (text: unknown): boolean =>
  typeof text === 'string' && text.trim() !== '' && [...text].length <= REASON_LENGTH && PLAIN.test(text);

const entriesOf = ({ scope_reasons: reasons }: Metadata): [string, unknown][] =>
  typeof reasons === 'object' && reasons !== null ? Object.entries(reasons) : [];

/** Why a client asks for scopes, by their names: `scope_reasons` of its metadata. */
export const scopeReasonsOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    entriesOf(metadata).flatMap(([scope, reason]) => (typeof reason === 'string' ? [[scope, reason]] : [])),
  );

/** Reasons are shown to people who are asked, so each belongs to a scope that the client may ask for. */
export const findReasonFaults = (metadata: Metadata): RegistrationFault[] => {
  const scopes = readWords(metadata.scope);
  return entriesOf(metadata).flatMap(([scope, reason]) => {
    const place = `scope_reasons.${scope}`;
    if (!scopes.includes(scope))
      return [faultAt(place, 'scope_reason_invalid', 'is for a scope that "scope" does not name')];
    if (isReason(reason)) return [];
    return [
      faultAt(place, 'scope_reason_invalid', `must be one line of at most ${REASON_LENGTH} characters`),
    ];
  });
};
