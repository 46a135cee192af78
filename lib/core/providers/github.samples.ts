import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const githubSamples: SampleEvents = [
  { type: "push", make: (fresh) => event(fresh, "push", push(fresh)) },
  { type: "pull_request", make: (fresh) => event(fresh, "pull_request", pullRequest(fresh)) },
  { type: "issues", make: (fresh) => event(fresh, "issues", issue(fresh)) },
];

function event(fresh: Fresh, name: string, json: object): SampleContent {
  return {
    headers: {
      "user-agent": `GitHub-Hookshot/${fresh.hex(7)}`,
      "x-github-delivery": fresh.uuid(),
      "x-github-event": name,
      "x-github-hook-id": String(fresh.digits(9)),
      "x-github-hook-installation-target-id": String(repositoryId),
      "x-github-hook-installation-target-type": "repository",
    },
    json,
  };
}

const repositoryId = 186_853_002;

const api = "https://api.github.com/repos/octo-org/hello-world";

const page = "https://github.com/octo-org/hello-world";

function user(login: string, id: number): object {
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    html_url: `https://github.com/${login}`,
    url: `https://api.github.com/users/${login}`,
    type: "User",
    site_admin: false,
  };
}

const sender = user("mona-example", 583_231);

function repository(fresh: Fresh): object {
  return {
    id: repositoryId,
    node_id: "R_kgDOExample",
    name: "hello-world",
    full_name: "octo-org/hello-world",
    private: false,
    owner: { ...user("octo-org", 6_811_672), type: "Organization" },
    html_url: page,
    description: "An example repository",
    fork: false,
    url: api,
    clone_url: `${page}.git`,
    ssh_url: "git@github.com:octo-org/hello-world.git",
    default_branch: "main",
    language: "TypeScript",
    visibility: "public",
    archived: false,
    open_issues_count: 2,
    stargazers_count: 42,
    created_at: "2024-05-15T15:19:25Z",
    updated_at: fresh.isoSeconds,
    pushed_at: fresh.isoSeconds,
  };
}

function push(fresh: Fresh): object {
  const [before, after] = [fresh.hex(40), fresh.hex(40)];
  const author = { name: "Mona Example", email: "mona@example.com", username: "mona-example" };
  const commit = {
    id: after,
    tree_id: fresh.hex(40),
    distinct: true,
    message: "Show prices with their currency",
    timestamp: fresh.isoSeconds,
    url: `${page}/commit/${after}`,
    author,
    committer: author,
    added: ["src/format-price.ts"],
    removed: [],
    modified: ["README.md", "src/cart.ts"],
  };
  return {
    ref: "refs/heads/main",
    before,
    after,
    repository: repository(fresh),
    pusher: { name: "mona-example", email: "mona@example.com" },
    sender,
    created: false,
    deleted: false,
    forced: false,
    base_ref: null,
    compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: [commit],
    head_commit: commit,
  };
}

function pullRequest(fresh: Fresh): object {
  const number = fresh.digits(3);
  const branch = (ref: string) => ({
    label: `octo-org:${ref}`,
    ref,
    sha: fresh.hex(40),
    user: sender,
    repo: repository(fresh),
  });
  return {
    action: "opened",
    number,
    pull_request: {
      id: fresh.digits(10),
      node_id: `PR_${fresh.text(16)}`,
      number,
      state: "open",
      locked: false,
      title: "Show prices with their currency",
      user: sender,
      body: "Closes #41. Prices now say which currency they are in.",
      url: `${api}/pulls/${number}`,
      html_url: `${page}/pull/${number}`,
      diff_url: `${page}/pull/${number}.diff`,
      created_at: fresh.isoSeconds,
      updated_at: fresh.isoSeconds,
      closed_at: null,
      merged_at: null,
      merge_commit_sha: null,
      assignees: [],
      requested_reviewers: [user("hubot-example", 2)],
      labels: [
        { id: 208_045_946, name: "enhancement", color: "a2eeef", default: true, description: null },
      ],
      milestone: null,
      draft: false,
      head: branch("show-currency"),
      base: branch("main"),
      author_association: "MEMBER",
      merged: false,
      mergeable: null,
      comments: 0,
      review_comments: 0,
      commits: 1,
      additions: 24,
      deletions: 3,
      changed_files: 3,
    },
    repository: repository(fresh),
    sender,
  };
}

function issue(fresh: Fresh): object {
  const number = fresh.digits(3);
  return {
    action: "opened",
    issue: {
      id: fresh.digits(10),
      node_id: `I_${fresh.text(16)}`,
      number,
      title: "Prices are shown without a currency",
      user: sender,
      url: `${api}/issues/${number}`,
      html_url: `${page}/issues/${number}`,
      labels: [
        {
          id: 208_045_947,
          name: "bug",
          color: "d73a4a",
          default: true,
          description: "Something is wrong",
        },
      ],
      state: "open",
      state_reason: null,
      locked: false,
      assignees: [],
      milestone: null,
      comments: 0,
      created_at: fresh.isoSeconds,
      updated_at: fresh.isoSeconds,
      closed_at: null,
      author_association: "MEMBER",
      body: "In the cart it says 42.00 and not 42.00 USD.",
    },
    repository: repository(fresh),
    sender,
  };
}
