/*
 * A stand-in for Claude Code that is fast enough not to be the bottleneck. Its lines have the shape and the size of those that
 * Claude Code 2.1.197 prints: the published server reads them with its real adapter, and the floor parses them directly.
 *
 * Each delta carries exactly TEXT_CHARS characters: "@", the time of the write (CLOCK_MONOTONIC, 16 digits of microseconds), filler.
 * Every MESSAGE_DELTAS deltas the message ends as a real one does, with an `assistant` line that has its full text.
 *
 * Commands it accepts as a user message:
 *   flood N [LINES]      N deltas as fast as possible, LINES per write (default 1)
 *   pace N HZ            N deltas, HZ per second
 *   say M                M complete messages of a few words each, to create history
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TEXT_CHARS 60
#define MESSAGE_DELTAS 400
#define USAGE "\"usage\":{\"input_tokens\":10,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,\"output_tokens\":1}"

static const char *session = "00000000-0000-4000-8000-000000000000";
static char message_text[MESSAGE_DELTAS * TEXT_CHARS + 1];
static size_t message_chars = 0;
static long messages = 0;
static unsigned long long lines = 0;
static char cwd[4096];

static void put(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(1, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(1);
    bytes += count;
    length -= (size_t)count;
  }
}

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The end of nearly every line. The uuid only has to be unique and of the right length. */
static int tail(char *to) {
  return sprintf(to, ",\"session_id\":\"%s\",\"parent_tool_use_id\":null,\"uuid\":\"%08x-%04x-4000-8000-%012llx\"}\n", session,
                 (unsigned)getpid(), 0x4e11u, ++lines);
}

static char buffer[MESSAGE_DELTAS * TEXT_CHARS + 4096];

static void put_line(size_t used) {
  used += (size_t)tail(buffer + used);
  put(buffer, used);
}

#define LINE(...) put_line((size_t)snprintf(buffer, sizeof buffer, __VA_ARGS__))

static void start_message(void) {
  messages++;
  message_chars = 0;
  LINE("{\"type\":\"stream_event\",\"event\":{\"type\":\"message_start\",\"message\":{\"id\":\"msg_%d_%ld\",\"type\":\"message\",\"role\":\"assistant\","
       "\"model\":\"stand-in\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null," USAGE "}}", (int)getpid(), messages);
  LINE("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}");
}

static void end_message(void) {
  message_text[message_chars] = 0;
  LINE("{\"type\":\"assistant\",\"message\":{\"id\":\"msg_%d_%ld\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"stand-in\",\"content\":"
       "[{\"type\":\"text\",\"text\":\"%s\"}],\"stop_reason\":null,\"stop_sequence\":null," USAGE "}", (int)getpid(), messages, message_text);
  LINE("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_stop\",\"index\":0}");
  LINE("{\"type\":\"stream_event\",\"event\":{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null}," USAGE "}");
  LINE("{\"type\":\"stream_event\",\"event\":{\"type\":\"message_stop\"}");
  message_chars = 0;
}

static size_t delta(char *to) {
  char text[TEXT_CHARS + 1];
  int stamp = sprintf(text, "@%016lld ", now_ns() / 1000);
  memset(text + stamp, 'x', TEXT_CHARS - (size_t)stamp);
  text[TEXT_CHARS] = 0;
  memcpy(message_text + message_chars, text, TEXT_CHARS);
  message_chars += TEXT_CHARS;
  int used = sprintf(to, "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}", text);
  return (size_t)used + (size_t)tail(to + used);
}

static void flood(long count, int lines_a_write) {
  static char many[512 * 64];
  size_t used = 0;
  if (lines_a_write > 64) lines_a_write = 64;
  for (long i = 0; i < count; i++) {
    if (i % MESSAGE_DELTAS == 0) start_message();
    used += delta(many + used);
    int is_last = (i + 1) % MESSAGE_DELTAS == 0 || i + 1 == count;
    if (is_last || (i + 1) % lines_a_write == 0) {
      put(many, used);
      used = 0;
    }
    if (is_last) end_message();
  }
}

static void pace(long count, double hz) {
  static char line[1024];
  long long next = now_ns();
  for (long i = 0; i < count; i++) {
    if (i % MESSAGE_DELTAS == 0) start_message();
    struct timespec t = {next / 1000000000LL, next % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
    put(line, delta(line));
    next += (long long)(1e9 / hz);
    if ((i + 1) % MESSAGE_DELTAS == 0 || i + 1 == count) end_message();
  }
}

static void say(long count) {
  for (long i = 0; i < count; i++) {
    start_message();
    message_chars = (size_t)sprintf(message_text, "This is message %ld of a session that is long over.", i + 1);
    end_message();
  }
}

static void copy_field(const char *line, const char *name, char *to, size_t room) {
  const char *found = strstr(line, name);
  size_t length = 0;
  to[0] = 0;
  if (!found) return;
  for (found += strlen(name); found[length] && found[length] != '"' && length + 1 < room; length++) to[length] = found[length];
  to[length] = 0;
}

static void take_turn(const char *line) {
  char text[256], uuid[64];
  long count;
  int lines_a_write = 1;
  double hz;
  copy_field(line, "\"content\":\"", text, sizeof text);
  copy_field(line, "\"uuid\":\"", uuid, sizeof uuid);
  LINE("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"%s\",\"tools\":[\"Bash\",\"Edit\",\"Read\",\"Write\"],\"mcp_servers\":[],\"model\":\"stand-in\","
       "\"permissionMode\":\"default\",\"slash_commands\":[\"compact\"],\"claude_code_version\":\"2.1.197\"", cwd);
  int used = snprintf(buffer, sizeof buffer, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},\"session_id\":\"%s\",\"parent_tool_use_id\":null,"
                      "\"uuid\":\"%s\",\"isReplay\":true}\n", text, session, uuid);
  put(buffer, (size_t)used);
  if (sscanf(text, "flood %ld %d", &count, &lines_a_write) >= 1) flood(count, lines_a_write < 1 ? 1 : lines_a_write);
  else if (sscanf(text, "pace %ld %lf", &count, &hz) == 2) pace(count, hz);
  else if (sscanf(text, "say %ld", &count) == 1) say(count);
  LINE("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"duration_ms\":1,\"num_turns\":1,\"result\":\"done\",\"stop_reason\":\"end_turn\","
       "\"total_cost_usd\":0,\"permission_denials\":[]," USAGE);
}

static void answer(const char *line) {
  char id[128];
  copy_field(line, "\"request_id\":\"", id, sizeof id);
  const char *body = strstr(line, "\"subtype\":\"initialize\"") ? "{\"commands\":[{\"name\":\"compact\",\"description\":\"\"}],\"models\":[{\"value\":\"stand-in\"}]}" : "{}";
  int used = snprintf(buffer, sizeof buffer, "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"%s\",\"response\":%s}}\n", id, body);
  put(buffer, (size_t)used);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--version") == 0) return puts("2.1.197 (stand-in)") < 0;
    if ((strcmp(argv[i], "--session-id") == 0 || strcmp(argv[i], "--resume") == 0) && i + 1 < argc) session = argv[i + 1];
  }
  if (!getcwd(cwd, sizeof cwd)) cwd[0] = 0;
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    if (strstr(line, "\"type\":\"control_request\"")) answer(line);
    else if (strstr(line, "\"type\":\"user\"")) take_turn(line);
  }
  return 0;
}
