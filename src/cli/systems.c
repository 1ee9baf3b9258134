/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/file.h"
#include "cli/guess.h"
#include "cli/systems.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

static bool read_system(const char *path, struct tf_cluster *cluster)
{
    size_t bytes;
    struct tf_message message;
    char *text = tf_cli_read_file(path, &bytes);
    if (text == NULL)
        return false;
    int error = tf_cluster_parse(text, bytes, cluster, &message);
    free(text);
    if (error != TF_OK)
        tf_cli_error("%s: %s", path, message.text);
    return error == TF_OK;
}

bool tf_cli_system_is_file(const char *name)
{
    return strpbrk(name, "./") != NULL;
}

bool tf_cli_system(const char *option, const char *name, struct tf_cluster *cluster)
{
    struct tf_message message;
    if (tf_cluster_find(name, cluster, &message) == TF_OK)
        return true;
    if (tf_cli_system_is_file(name))
        return read_system(name, cluster);
    struct tf_guess guess = {.given = name, .prefix = ""};
    char meant[TF_GUESS_BYTES];
    for (unsigned i = 0; tf_cluster_name(i) != NULL; i++)
        tf_guess_offer(&guess, tf_cluster_name(i));
    tf_cli_error("%s: there is no system '%s'%s; see 'tilefarm list', or name a file as './%s'", option, name,
                 tf_guess_text(&guess, meant), name);
    return false;
}

static void print_sizes(const struct tf_cluster *cluster)
{
    unsigned pcie = 0;
    for (unsigned i = 0; i < cluster->chips; i++)
        pcie += cluster->chip[i].pcie;
    printf("%u %s chip%s, %u with PCIe, %u links\n", cluster->chips, tf_cli_title(cluster->arch),
           cluster->chips == 1 ? "" : "s", pcie, cluster->links);
}

void tf_cli_systems_list(void)
{
    for (unsigned i = 0; tf_cluster_name(i) != NULL; i++) {
        struct tf_cluster cluster;
        tf_cluster_find(tf_cluster_name(i), &cluster, NULL);
        printf("%-12s ", tf_cluster_name(i));
        print_sizes(&cluster);
    }
}

static bool is_placed(const struct tf_cluster_chip *chip)
{
    return (chip->x | chip->y | chip->rack | chip->shelf) != 0;
}

static void print_chip(const struct tf_cluster *cluster, unsigned index, bool placed)
{
    const struct tf_cluster_chip *chip = &cluster->chip[index];
    printf("chip %-2u  %-9s  board %#llx, location %u, unique id %#llx%s", index, chip->board.name,
           (unsigned long long)chip->board_id, chip->asic_location, (unsigned long long)chip->unique_id,
           chip->pcie ? ", PCIe" : "");
    if (placed)
        printf(", x %u, y %u, rack %u, shelf %u", chip->x, chip->y, chip->rack, chip->shelf);
    printf("\n");
}

/* Links are sorted, but pairs of chips may alternate. */
static void print_pair(const struct tf_cluster *cluster, unsigned first)
{
    const struct tf_cluster_end *pair = cluster->link[first].end;
    for (unsigned i = 0; i < first; i++)
        if (cluster->link[i].end[0].chip == pair[0].chip && cluster->link[i].end[1].chip == pair[1].chip)
            return;
    printf("chips %u and %u, ports", pair[0].chip, pair[1].chip);
    for (unsigned i = first; i < cluster->links; i++) {
        const struct tf_cluster_end *end = cluster->link[i].end;
        if (end[0].chip == pair[0].chip && end[1].chip == pair[1].chip)
            printf("  %u to %u", end[0].port, end[1].port);
    }
    printf("\n");
}

void tf_cli_system_print(const struct tf_cluster *cluster)
{
    bool placed = false;
    for (unsigned i = 0; i < cluster->chips; i++)
        placed |= is_placed(&cluster->chip[i]);
    print_sizes(cluster);
    for (unsigned i = 0; i < cluster->chips; i++)
        print_chip(cluster, i, placed);
    for (unsigned i = 0; i < cluster->links; i++)
        print_pair(cluster, i);
}
