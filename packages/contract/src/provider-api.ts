import { endpoint } from './endpoint.ts';
import { ReturnTo } from './schemas/interaction.ts';
import { ProviderList, RegisterFromProvider } from './schemas/provider.ts';
import { codeErrors } from './shared-errors.ts';

/** The endpoints of a person’s ways in through identity providers. */
export const providerApi = {
  listProviders: endpoint({
    method: 'GET',
    path: '/api/providers',
    auth: 'session',
    response: ProviderList,
    errors: ['not_signed_in'],
    summary: 'The identity providers of the brand, and which of them open the account',
  }),
  linkProvider: endpoint({
    method: 'POST',
    path: '/api/providers/:id',
    auth: 'session',
    response: ReturnTo,
    errors: ['not_signed_in', 'step_up_required', 'not_found', 'provider_exists', 'provider_unavailable'],
    summary: 'Lead to a provider whose sign-in is to open the account',
  }),
  unlinkProvider: endpoint({
    method: 'DELETE',
    path: '/api/providers/:id',
    auth: 'session',
    errors: ['not_signed_in', 'step_up_required', 'not_found', 'last_way_in'],
    summary: 'Remove the way in through a provider',
  }),
};

/** Of an interaction in which somebody came from a provider and is not known here. */
export const arrivalApi = {
  registerFromProvider: endpoint({
    method: 'POST',
    path: '/interaction/:uid/provider',
    auth: 'interaction',
    body: RegisterFromProvider,
    response: ReturnTo,
    errors: [
      'interaction_expired',
      ...codeErrors,
      'ticket_invalid',
      'identifier_taken',
      'agreements_required',
      'provider_expired',
      'account_disabled',
      'second_factor_required',
    ],
    summary: 'Create an account for who came from a provider, and sign in as it',
  }),
  dropProvider: endpoint({
    method: 'DELETE',
    path: '/interaction/:uid/provider',
    auth: 'interaction',
    errors: ['interaction_expired'],
    summary: 'Forget who came from a provider',
  }),
};
