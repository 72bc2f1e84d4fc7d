export const codes = {
  minutes: { one: '{{minutes}} minute', other: '{{minutes}} minutes' },
  code: {
    /** The values of `{{purpose}}` in the texts below. */
    purposes: {
      login: 'sign in',
      register: 'create your account',
      recover: 'set a new password',
      bind_phone: 'add this phone number to your account',
      bind_email: 'add this e-mail address to your account',
      'step-up': 'confirm that it is you',
    },
    /** Locked screens and the logs of mail servers show the subject: it never has the code. */
    subject: 'Your {{brand}} code to {{purpose}}',
    sms: '{{code}} is your {{brand}} code to {{purpose}}. Valid for {{duration}}. Never share it.',
    /** Paragraphs with a blank line between them. */
    email: [
      'Hello,',
      'Your {{brand}} code to {{purpose}}:',
      '{{code}}',
      'It is valid for {{duration}} and only in the browser where it was requested. Never share it: {{brand}} will never ask you for it.',
      'If you did not request a code, you can ignore this message. Nobody gets in without it.',
    ].join('\n\n'),
  },
  /** The code that a caller reads to whoever answers the phone. */
  caller: {
    subject: 'Your {{brand}} code for support',
    sms: '{{code}} is your {{brand}} code for support. Tell it only if you called us yourself. Valid for {{duration}}.',
    email: [
      'Hello,',
      'Your {{brand}} code for the person of support with whom you are speaking:',
      '{{code}}',
      'It is valid for {{duration}}, proves that it is you who calls, and opens nothing. Tell it only if you called support yourself; if somebody called you, hang up.',
      'If you are not speaking with support, you can ignore this message.',
    ].join('\n\n'),
  },
};
