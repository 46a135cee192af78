import { inviteMember, resendInvitation, revokeInvitation } from "#lib/services/invitations.ts";
import {
  changeMemberRole,
  getInvitation,
  getMember,
  listInvitations,
  listMembers,
  removeMember,
} from "#lib/services/members.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { invitationView, memberView, sentInvitationView } from "./member-view.ts";

export const memberRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/members",
    operationId: "listMembers",
    summary: "List members",
    description: "Those who signed up last come first.",
    service: listMembers,
    view: pageView(memberView),
  }),
  route({
    method: "GET",
    path: "/members/{id}",
    operationId: "getMember",
    summary: "Get a member",
    service: getMember,
    view: memberView,
  }),
  route({
    method: "PATCH",
    path: "/members/{id}",
    operationId: "changeMemberRole",
    summary: "Change the role of a member",
    description: "409 for the last owner. Only owners make or change owners.",
    service: changeMemberRole,
    view: memberView,
    example: { role: "viewer" },
  }),
  route({
    method: "DELETE",
    path: "/members/{id}",
    operationId: "removeMember",
    summary: "Remove a member",
    description: "Their sessions and API tokens of this account end too. 409 for the last owner.",
    service: removeMember,
    view: null,
  }),
];

export const invitationRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/invitations",
    operationId: "inviteMember",
    summary: "Invite a person",
    description:
      "Sends the link by email if a mail server is configured. 409 if they are a member or invited.",
    service: inviteMember,
    status: 201,
    view: sentInvitationView,
    example: { email: "grace@example.com", role: "member" },
  }),
  route({
    method: "GET",
    path: "/invitations",
    operationId: "listInvitations",
    summary: "List invitations",
    description: "Those that are still open, newest first.",
    service: listInvitations,
    view: pageView(invitationView),
  }),
  route({
    method: "GET",
    path: "/invitations/{id}",
    operationId: "getInvitation",
    summary: "Get an invitation",
    service: getInvitation,
    view: invitationView,
  }),
  route({
    method: "POST",
    path: "/invitations/{id}/resend",
    operationId: "resendInvitation",
    summary: "Send an invitation again",
    description: "With a new link, for 7 more days. The earlier link stops working.",
    service: resendInvitation,
    view: sentInvitationView,
  }),
  route({
    method: "DELETE",
    path: "/invitations/{id}",
    operationId: "revokeInvitation",
    summary: "Revoke an invitation",
    description: "Its link stops working at once.",
    service: revokeInvitation,
    view: null,
  }),
];
