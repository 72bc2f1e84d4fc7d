import type { ActivityDetail } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Identifier } from '../../ground/identifier/identifier.ts';

/** A phone number or an e-mail address, as what happened to it names it. */
export const contactDetail = ({ kind, value }: Pick<Identifier, 'kind' | 'value'>): ActivityDetail => ({
  contactKind: kind,
  contact: maskIdentifier(value),
});
