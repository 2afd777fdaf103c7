"""Mermaid diagrams as people paste them: one for each construct that Mermaid documents.

Each has a name, and its verdict or the replacement for its construct. The text follows, without its first
line.
"""

from textwrap import dedent

YES, NO = "yes: ", "no: "

READ = {
    "arrows": (
        YES,
        """
        Shop->Bank: open
        Bank-->Shop: opened
        Shop->>Bank: pay
        Bank-->>Shop: paid
        Shop-)Mail: receipt
        Mail--)Shop: sent
        """,
    ),
    "half arrows": (
        YES,
        r"""
        Shop-|\Bank: above
        Bank--|\Shop: above, dotted
        Shop-|/Bank: below
        Bank--|/Shop: below, dotted
        Shop-\\Bank: thin
        Bank-//Shop: thin, below
        Shop/|-Bank: from Bank
        Shop//-Bank: from Bank, thin
        """,
    ),
    "circles on lifelines": (YES, "Shop->>()Bank: pay\nBank()->>Shop: paid\nShop()->>()Bank: bye"),
    "participants": (
        YES,
        """
        participant S as Shop
        actor C as the customer
        participant B@{ "type": "boundary", "alias": "Bank" }
        participant Q@{ "type": "queue" } as Orders
        C->>S: order
        S->>Q: put
        Q->>B: collect
        """,
    ),
    "created and destroyed": (
        YES,
        """
        Shop->>Bank: open
        create participant Clerk
        Bank->>Clerk: hire
        create actor A as Auditor
        Clerk->>A: call
        destroy Clerk
        Clerk->>Bank: leave
        """,
    ),
    "boxes": (
        YES,
        """
        box Aqua Front office
        participant Shop
        actor Customer
        end
        box rgb(33,66,99)
        participant Bank
        end
        Customer->>Shop: order
        Shop->>Bank: pay
        """,
    ),
    "activations": (
        YES,
        """
        Shop->>+Bank: pay
        Shop->>+Bank: hurry
        Bank-->>-Shop: soon
        Bank-->>-Shop: paid
        activate Shop
        Shop->>Bank: thanks
        deactivate Shop
        """,
    ),
    "notes": (
        YES,
        """
        participant Shop
        Note right of Shop: opens at nine
        Note left of Shop: closes<br/>at five
        Shop->>Bank: pay
        Note over Shop,Bank: Every day
        """,
    ),
    "colours and frames": (
        YES,
        """
        rect rgb(200, 220, 255)
        Shop->>Bank: pay
        rect rgba(0, 0, 255, .1)
        Bank->>Shop: paid
        end
        end
        par_over the same time
        Shop->>Mail: receipt
        end
        """,
    ),
    "a critical region": (YES, "critical open the account\nShop->>Bank: open\nend"),
    "parallel sections": (YES, "par one\nShop->>Bank: pay\nand two\nCook->>Mail: order\nend"),
    "a loop that is answered": (
        YES,
        "Shop->>Bank: open\nloop every day\nBank->>Shop: ask\nShop->>Bank: tell\nend",
    ),
    "a loop without an answer": (NO, "loop every day\nShop->>Bank: pay\nend\nShop->>Bank: close"),
    "choices": (
        YES,
        """
        Shop->>Bank: pay
        alt is covered
        Bank->>Shop: paid
        else is not
        Bank->>Shop: refused
        end
        opt it is late
        Shop->>Mail: sorry
        end
        """,
    ),
    "a break": (YES, "Shop->>Bank: open\nbreak no money\nBank->>Shop: no\nend\nBank->>Mail: card"),
    "options of a critical region": (
        YES,
        """
        critical open
        Shop->>Bank: open
        option timeout
        Bank->>Shop: late
        option closed
        Bank->>Mail: no
        end
        """,
    ),
    "what says nothing about messages": (
        YES,
        """
        title: A day
        accTitle: A day
        accDescr: of a shop
        autonumber 10 5
        %% a comment
        links Shop: {"Map": "https://example.org/map"}
        link Bank: Hours @ https://example.org/hours
        properties Shop: {"class": "small"}
        details Shop: {"open": "nine"}
        Shop->>Bank: I #9829; you #59; #infin;
        """,
    ),
}
"""Diagrams that have an answer."""

REFUSED = {
    "a lost message": (
        "write -) if it arrives, or a note",
        "Shop->>Bank: pay\nShop-xBank: gone\nShop--xBank: gone",
    ),
    "both directions": ("write two arrows", "Shop<<->>Bank: talk\nShop<<-->>Bank: talk"),
    "a message to itself": ("write a note for an internal event", "Shop->>Shop: think"),
    "an arrow without a text": ("write A->>B: text", "Shop->>Bank"),
    "a message in a box": ("write it below", "box Front\nShop->>Bank: pay\nend"),
    "parallel sections that share a participant": (
        "draw an order",
        "par one\nShop->>Bank: pay\nand two\nShop->>Mail: order\nend",
    ),
    "two names for one participant": (
        "declare it once, and first",
        "participant S as Shop\nparticipant S as Store\nS->>Bank: pay",
    ),
    "a comment behind a message": ("needs a line of its own", "Shop->>Bank: pay %% at once"),
    "a name that is a keyword": ("call it x, by 'participant x as end'", "Shop->>end: pay"),
}
"""Diagrams that are refused, with the advice in the sentence."""


def diagram(text: str) -> str:
    return f"sequenceDiagram\n{dedent(text).strip()}\n"
