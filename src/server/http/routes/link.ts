import { LinkBody, SignedLink } from '../../../protocol/api/sign-in.ts';
import { type Route, route } from '../route.ts';

export const LINK_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/links',
    role: 'viewer',
    summary: 'Create a signed link for a download, which can’t carry a header: valid for GET on one API address with its query, for 60 seconds, as the caller',
    body: LinkBody,
    answer: { status: 201, schema: SignedLink },
    handle: ({ links }, { body: { path }, actor, signIn }) => {
      const link = links.sign(path, { token: actor.name, signIn });
      return link === undefined ? { refused: 'bad-request', message: 'Only addresses under /api/ can be signed.' } : { status: 201, body: link };
    },
  }),
];
