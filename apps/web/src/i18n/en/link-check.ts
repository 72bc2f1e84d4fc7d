/** The check of a link: what is played, and what a developer does about what it finds. */
export const linkCheck = {
  text: 'Plays what the platform does when somebody links their home, and in the months after. It uses a copy of the app that is deleted afterwards, so no connection of a person is touched.',
  action: 'Check the link',
  again: 'Check again',
  busy: 'The platform is being played. This takes a few seconds.',
  passed: 'Homes can be linked.',
  failed: 'Something would not work. See what to change.',
  outcome: { passed: 'Passed', warned: 'Note', failed: 'Failed', skipped: 'Not played' },
  requests: 'What was sent and came back',
  sent: 'Sent',
  came: 'Came back',
  more: 'All about this check',
  steps: {
    reach: 'The server answers at its address',
    issuer: 'Platforms take this address',
    link: 'Somebody links their account',
    redirect_uris: 'The same at the other return addresses of the platform',
    exchange: 'The platform exchanges the code for tokens',
    answer: 'The answer is as the platform takes it',
    code_again: 'The platform sends the code again: it is refused, and the link stays',
    refresh: 'The platform refreshes its access token',
    parallel_refresh: 'The platform sends two refreshes at once',
    lost_answer: 'The answer to a refresh is lost, and the platform repeats it',
    timeout: 'The platform hangs up, and repeats the refresh',
    link_again: 'The account is linked again, and the first link stays',
    later: 'The platform comes back after 60 days, and repeats itself for 21 more',
    unlink: 'The platform ends the link',
  },
  problems: {
    unreachable:
      'No platform gets an answer. The server could not reach itself at {{value}}: the people who run it can check its public address.',
    issuer_not_https:
      'The console of the platform refuses addresses without https. That is fine while you try things out here.',
    issuer_not_public: 'The platform reaches addresses of the Internet alone, and {{value}} is none.',
    client_disabled: 'People see an error page, and all links have ended. Enable the app.',
    client_not_known: 'People see an error page: the server at {{value}} does not know the app.',
    redirect_uri_missing: 'People see an error page instead of the sign-in. Add this address: {{value}}',
    scope_refused:
      'The platform says that linking failed, because nothing it asks for is allowed. Set {{field}} to {{value}}.',
    challenge_required:
      'The platform says that linking failed, because it does not send PKCE. Set {{field}} to {{value}}.',
    request_refused: 'The platform says that linking failed. The server refused the request: {{value}}',
    answer_changed:
      'The platform says that linking failed, because the answer came to another address or without its state: {{value}}',
    authentication_refused:
      'The platform gets no tokens: it sends its secret otherwise than the app is registered. Set {{field}} to {{value}}.',
    exchange_refused: 'The platform gets no tokens, and says that linking failed: {{value}}',
    refresh_token_missing: 'The link ends with the first access token. Add {{value}} to {{field}}.',
    lifetime_too_short:
      'The platform refuses access tokens of less than 360 seconds. Set {{field}} to 3600; it is {{value}}.',
    answer_too_long:
      'The platform drops answers of more than 5000 characters, and this one has {{value}}. Allow fewer permissions.',
    token_too_long:
      'The platform drops tokens of more than 2048 characters, and this one has {{value}}. Allow fewer permissions, or ask for opaque tokens of the API.',
    answer_too_slow: 'The platform hangs up after 4.5 seconds. This took {{value}} ms.',
    code_taken_twice: 'A code worked twice. Tell the people who run the server.',
    code_ended_link:
      'A link ends as soon as the platform repeats a request. Register the app without {{field}}.',
    refresh_refused:
      'The home is unlinked, and has to be linked again. The server refused the refresh: {{value}}',
    repeat_refused:
      'The home is unlinked as soon as one answer is lost or a request is sent twice. Set {{field}} to {{value}}.',
    link_ended_early: 'The home is unlinked while people are away. Set {{field}} to {{value}}.',
    link_survives:
      'The platform shows the account as unlinked, but its refresh token still works. Set {{field}} to {{value}}.',
  },
};
