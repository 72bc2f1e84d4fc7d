import { maskPhone } from '../identifier/dial-code.ts';

/** A phone or e-mail as its owner knows it and nobody else learns it: `l•••@example.com`. */
export const maskContact = (contact: string): string => {
  const at = contact.lastIndexOf('@');
  if (at < 0) return maskPhone(contact);
  const [first = ''] = contact;
  return `${at > 1 ? first : ''}•••${contact.slice(at)}`;
};
