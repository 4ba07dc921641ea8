// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

contract Treasury {
    uint256 public level;

    function setLevel(uint8 next) public {
        level = next;
    }
}

contract Votes {
    mapping(address => uint256) public weight;

    function vote(uint256 proposal, uint16 given) public {
        require(proposal > 0, "no proposal");
        weight[msg.sender] = given;
    }
}

contract Flags {
    uint256 public flag;

    function set(bool next) public {
        assembly {
            sstore(flag_slot, and(calldataload(0x04), 1))
        }
    }
}

contract Registry {
    bytes32 public last;

    function register(address who) public {
        last = bytes32(uint256(who));
    }
}

contract Prices {
    uint256 public price = 5;

    function quote(uint64 next) public {
        price = uint256(next);
    }
}
